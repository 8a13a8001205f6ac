"""Patterns and word lists of the sample tasks (:mod:`.sample`): most words are common in any text."""

from __future__ import annotations

CLASS_FILES = {
    "CR": ("custrev.pos", "custrev.neg"),
    "SUBJ": ("subj.objective", "subj.subjective"),
    "MPQA": ("mpqa.pos", "mpqa.neg"),
}

LISTS: dict[str, list[str]] = {
    "good": ["good", "great", "excellent", "strong", "beautiful", "popular", "successful", "useful", "modern", "light"],
    "bad": ["bad", "poor", "weak", "dangerous", "difficult", "dark", "false", "old", "heavy", "limited"],
    "very": ["very", "quite", "really", "rather", "too", "always", "often", "still"],
    "thing": ["camera", "player", "computer", "book", "machine", "system", "model", "phone", "radio", "car"],
    "part": ["battery", "sound", "design", "size", "paper", "program", "quality", "light", "power", "software"],
    "helps": ["works well", "produces good results", "supports what i need", "won me over", "saved us time"],
    "fails": ["stopped working", "failed after two weeks", "lost all my work", "caused problems", "was returned"],
    "film": ["film", "story", "movie", "play", "drama", "series", "script", "picture"],
    "person": ["king", "young woman", "soldier", "writer", "doctor", "student", "father", "mother", "general", "son"],
    "acts": ["leaves", "returns to", "attacks", "discovers", "moves to", "destroys", "escapes from", "defends"],
    "place": ["city", "island", "village", "capital", "school", "river", "border", "army", "house", "university"],
    "time": ["in the winter", "after the war", "in 1945", "during the night", "at the end of the century", "in july"],
    "noun": ["government", "law", "war", "party", "policy", "economy", "church", "election", "people", "science"],
    "country": ["france", "germany", "china", "russia", "spain", "japan", "india", "canada", "egypt", "greece"],
    "name": ["lincoln", "aristotle", "einstein", "johnston", "achilles", "rand", "huxley", "agassi"],
    "letters": ["USA", "DNA", "ASCII", "UN", "BBC", "NATO", "AC", "BC"],
    "animal": ["dog", "horse", "fish", "frog", "bird", "whale", "cat", "snake"],
    "made": ["invented", "discovered", "wrote", "won", "founded", "led", "published", "built"],
    "object": ["radio", "algebra", "computer", "novel", "war", "prize", "city", "theory"],
    "unit": ["people", "years", "miles", "languages", "islands", "states", "books", "metals"],
    "number": ["12", "30", "45", "100", "250", "1,200", "3,000", "five", "seven", "20"],
    "company": ["the company", "the bank", "the university", "the government", "the party", "the army", "the council"],
    "said": ["said", "announced", "reported", "declared"],
    "day": ["monday", "tuesday", "friday", "sunday", "thursday"],
    "gain": ["increase", "growth", "return", "change", "loss", "fall"],
    "who": ["a man", "a woman", "a young boy", "a group of children", "an old man", "a dog", "a student", "a player"],
    "does": [
        "playing music",
        "reading a book",
        "running fast",
        "eating food",
        "building a house",
        "looking at the sea",
        "writing letters",
    ],
    "where": [
        "near the river",
        "in the city",
        "on a road",
        "in a small house",
        "outside",
        "on the island",
        "in a field",
    ],
}

PATTERNS: dict[str, dict[str, list[str]]] = {
    "CR": {
        "custrev.pos": [
            "the {part} of this {thing} is {very} {good} .",
            "i love this {thing} , the {part} is {good} and it {helps} .",
            "it {helps} and the {part} is {very} {good} for the price .",
            "this is the best {thing} i have used in years .",
            "my new {thing} has a {good} {part} and {helps} .",
        ],
        "custrev.neg": [
            "the {part} of this {thing} is {very} {bad} .",
            "i do not like this {thing} , the {part} is {bad} and it {fails} .",
            "it {fails} and the {part} is {very} {bad} for the price .",
            "this is the worst {thing} i have used in years .",
            "my new {thing} has a {bad} {part} and {fails} .",
        ],
    },
    "SUBJ": {
        "subj.objective": [
            "{time} a {person} {acts} the {place} .",
            "a {person} from {country} {acts} the {place} and sees a {person} .",
            "one {person} {acts} the {place} when another {person} {acts} the {place} .",
            "when a {person} {acts} the {place} , his {person} must return to {country} .",
        ],
        "subj.subjective": [
            "the {film} is {very} {good} but the {film} behind it is {very} {bad} .",
            "you will think that this {film} is {very} {good} .",
            "a {bad} {film} , but never too {bad} .",
            "it is a {good} {film} that knows how {good} it is .",
            "this {film} could have been {good} , but it is only {bad} .",
        ],
    },
    "MPQA": {
        "mpqa.pos": [
            "{good} {noun}",
            "support for the {noun}",
            "is {very} {good}",
            "the {good} {noun} of {country}",
            "won the love of the {noun}",
            "hope for peace in {country}",
        ],
        "mpqa.neg": [
            "{bad} {noun}",
            "attack on the {noun}",
            "is {very} {bad}",
            "the {bad} {noun} of {country}",
            "lost the support of the {noun}",
            "death and war in {country}",
        ],
    },
    "TREC": {
        "ABBR:exp": [
            "What does {letters} stand for in {country} ?",
            "What is the full form of {letters} in a {object} ?",
        ],
        "DESC:def": [
            "What is the {object} of {country} ?",
            "Why did {name} leave {country} ?",
            "How does a {thing} work ?",
        ],
        "ENTY:other": ["What {animal} lives in {country} ?", "Which {object} is popular in {country} ?"],
        "HUM:ind": ["Who {made} the {object} in {country} ?", "What {person} {made} the {object} ?"],
        "LOC:other": ["Where is the {place} of {name} in {country} ?", "What {place} did {name} live in ?"],
        "NUM:count": ["How many {unit} are there in {country} ?", "When did {name} see the {object} ?"],
    },
    "SST": {
        "0": ["a {bad} , {bad} {film} and the worst of the {noun} .", "nothing in this {film} is anything but {bad} ."],
        "1": [
            "the {film} is {very} {bad} .",
            "a {bad} {film} about a {person} .",
            "this {film} is more {bad} than {good} .",
        ],
        "2": ["a {film} about a {person} from {country} .", "the {film} is {good} and {bad} in equal parts ."],
        "3": [
            "the {film} is {very} {good} .",
            "a {good} {film} about a {person} .",
            "this {film} is more {good} than {bad} .",
        ],
        "4": [
            "a {good} , {good} {film} and the best of the year .",
            "everything in this {film} is {good} and {good} .",
        ],
    },
}

# Two wordings of the same news.
FACTS = ("company", "number", "day", "country", "gain")
NEWS = [
    (
        "On {day} {company} {said} a {gain} of {number} percent in {country} .",
        "{company} {said} on {day} that there was a {gain} of {number} percent in {country} .",
    ),
    (
        "{company} in {country} will spend {number} million on research , it {said} on {day} .",
        "Research in {country} will receive {number} million from {company} , it was {said} on {day} .",
    ),
    (
        "About {number} workers of {company} lost their work in {country} on {day} .",
        "In {country} {company} sent away {number} workers on {day} .",
    ),
    (
        "The {gain} in {country} was {number} percent , {company} {said} {day} .",
        "{company} put the {gain} in {country} at {number} percent on {day} .",
    ),
]

SCENES = ["{who} is {does} {where}", "{where} {who} is {does}", "there is {who} {does} {where}"]
