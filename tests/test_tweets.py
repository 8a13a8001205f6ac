"""Test reading and cleaning tweets: formats, encodings and invalid lines."""

import io
import json
import lzma
import tarfile
from collections import Counter
from pathlib import Path

import pytest

from sentrep.errors import SentrepError
from sentrep.io.files import write_json
from sentrep.pairs.twitter.api_json import tweets_of
from sentrep.pairs.twitter.cleaning import UNINFORMATIVE, clean, is_informative_hashtag, is_veritable
from sentrep.pairs.twitter.reading import Reading, read_tweets, tweets_of_members
from sentrep.pairs.twitter.sample import ACCOUNTS, write
from sentrep.pairs.twitter.tweet import Tweet, parse_time

TIME = 1_428_543_110_000  # 2015-04-09 01:31:50 UTC
RECORD = {"id": "1", "user": "sample_news_1", "created_at": "2015-04-09T01:31:50Z", "text": "a #b"}
V1 = {
    "id": 2,
    "id_str": "2",
    "created_at": "Thu Apr 09 01:31:50 +0000 2015",
    "text": "cut …",
    "user": {"id": 9, "screen_name": "sample_news_2"},
    "lang": "en",
}


def read(*members: tuple[str, str | bytes]) -> tuple[list[Tweet], Reading]:
    reading = Reading()
    streams = ((name, io.BytesIO(c.encode() if isinstance(c, str) else c)) for name, c in members)
    return list(tweets_of_members(streams, reading)), reading


class TestTimes:
    @pytest.mark.parametrize(
        "value",
        [
            "2015-04-09T01:31:50Z",
            "2015-04-09T01:31:50.000Z",
            "2015-04-09 01:31:50",
            "2015-04-09T03:31:50+02:00",
            "Thu Apr 09 01:31:50 +0000 2015",
            "Wed Apr 08 18:31:50 -0700 2015",
            "Thu, 09 Apr 2015 01:31:50 +0000",
            "Thu, 09 Apr 2015 01:31:50 GMT",
            TIME,
            TIME // 1000,
            str(TIME),
            " 1428543110 ",
            1428543110.0,
        ],
    )
    def test_formats(self, value):
        assert parse_time(value) == TIME

    @pytest.mark.parametrize(
        "value",
        [
            *("", "yesterday", "2015-04-09", "20150409", "2015-13-09T01:31:50Z", "Thu Xyz 09 01:31:50 +0000 2015"),
            *("Thu Apr 39 01:31:50 +0000 2015", "1970-01-01T00:00:00Z", "0", 0, -5, None, True, [], float("nan")),
            *("9" * 400, 10**400, "0001-01-01T00:00:00+14:00", "1:2", "a:b, c d e"),
        ],
    )
    def test_wrong_dates(self, value):
        with pytest.raises(ValueError):
            parse_time(value)

    def test_milliseconds_count(self):
        assert parse_time("2015-04-09T01:31:50.250Z") == TIME + 250


class TestJson:
    def test_record(self):
        assert list(tweets_of(RECORD)) == [Tweet("1", "sample_news_1", TIME, "a #b")]

    def test_version_1(self):
        assert list(tweets_of(V1)) == [Tweet("2", "sample_news_2", TIME, "cut …")]
        full = {**V1, "full_text": "the whole"}
        extended = {**V1, "extended_tweet": {"full_text": "the whole"}}
        retweet = {**V1, "retweeted_status": {**extended, "id": 3, "created_at": "Wed Apr 08 00:00:00 +0000 2015"}}
        for value in (full, extended, retweet):
            assert list(tweets_of(value)) == [Tweet("2", "sample_news_2", TIME, "the whole")]
        without_text = {**V1, "retweeted_status": {"id": 3}}
        assert list(tweets_of(without_text)) == [Tweet("2", "sample_news_2", TIME, "cut …")]
        assert [tweet.id for tweet in tweets_of({"statuses": [V1, {**V1, "id_str": "3"}]})] == ["2", "3"]

    def test_version_2(self):
        time = "2015-04-09T01:31:50.000Z"
        page = {
            "data": [
                {"id": "5", "author_id": "9", "created_at": time, "text": "one"},
                {"id": "6", "author_id": "8", "created_at": time, "text": "two", "note_tweet": {"text": "two, all"}},
                {
                    **{"id": "7", "author_id": "9", "created_at": time, "text": "RT @x: th…"},
                    "referenced_tweets": [{"type": "quoted", "id": "40"}, {"type": "retweeted", "id": "41"}],
                },
                {
                    **{"id": "8", "author_id": "9", "created_at": time, "text": "RT @x: not there"},
                    "referenced_tweets": [{"type": "retweeted", "id": "42"}],
                },
            ],
            "includes": {
                "users": [{"id": "9", "username": "sample_news_9"}],
                "tweets": [{"id": "41", "text": "the original"}],
            },
            "meta": {"result_count": 4},
        }
        assert list(tweets_of(page)) == [
            Tweet("5", "sample_news_9", TIME, "one"),
            Tweet("6", "8", TIME, "two, all"),
            Tweet("7", "sample_news_9", TIME, "the original"),
            Tweet("8", "sample_news_9", TIME, "RT @x: not there"),
        ]
        assert [tweet.id for tweet in tweets_of({"data": page["data"][0]})] == ["5"]
        assert list(tweets_of({"meta": {"result_count": 0}})) == []
        flat = {**page["data"][0], "author": {"username": "sample_news_9"}}
        assert list(tweets_of(flat)) == [Tweet("5", "sample_news_9", TIME, "one")]

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            ({"id": None}, "missing or invalid id"),
            ({"id": 5.6e17}, "missing or invalid id"),
            ({"created_at": "soon"}, "invalid date"),
            ({"created_at": None}, "invalid date"),
            ({"text": " "}, "no text"),
            ({"text": 5}, "no text"),
            ({"lang": "fr"}, "not in English"),
        ],
    )
    def test_why_not(self, change, reason):
        assert list(tweets_of({**RECORD, **change})) == [reason]

    def test_other_values(self):
        assert list(tweets_of([5, {"a": 1}, {"delete": {"status": {"id": 1}}}])) == ["not a tweet", "not a tweet"]


class TestFiles:
    def test_format_is_seen_in_the_content(self):
        line = json.dumps(RECORD)
        spread = json.dumps([V1], indent=1)
        bars = "3|Thu Apr 09 01:31:50 +0000 2015|a | b"
        tweets, reading = read(("x.txt", "\ufeff" + line), ("y.csv", spread), ("in/sample_news_3.txt", bars))
        assert [tweet.id for tweet in tweets] == ["1", "2", "3"]
        assert tweets[2] == Tweet("3", "sample_news_3", TIME, "a | b")
        assert reading.tweets == {"sample_news_1": 1, "sample_news_2": 1, "sample_news_3": 1}

    def test_uci_oddities(self):
        date = b"Thu Apr 09 01:31:50 +0000 2015"
        lines = [
            b"1|" + date + b"|Patients\x92 \x93hope\x94 \x85",  # encoded in Windows-1252
            b"2|" + date + "|it’s here".encode(),
            b'"3|' + date + b'|Patients \'back ""three""" http://x"\t\t\r',
            b"4|" + date + b"|a|b||c  \r",
            b"",
            b"5.61699E+17|" + date + b"|a spreadsheet was here",
            b"6|some day|text",
            b"the second half of a line",
            b"7|" + date + b"|",
            b"1|" + date + b"|again",
            b"8|" + date + "|next\u0085line\u2028no end".encode(),
            b"9|" + date + b"|x",
        ]
        tweets, reading = read(("f.txt", b"\n".join(lines)), ("__MACOSX/f.txt", b"\0"), ("._f.txt", b"\0"))
        assert [tweet.text for tweet in tweets] == [
            *("Patients’ “hope” …", "it’s here", 'Patients \'back "three"" http://x', "a|b||c"),
            *("next\u0085line\u2028no end", "x"),
        ]
        reasons = ["missing or invalid id", "invalid date", "neither JSON nor id|date|text", "no text", "duplicate id"]
        assert reading.dropped == Counter(reasons)

    def test_broken_jsonl_lines_are_counted(self):
        lines = ["garbage", *(json.dumps({**RECORD, "id": i}) for i in range(5)), '{"id": 9, "te', "5"]
        tweets, reading = read(("t.jsonl", "\n".join(lines)))
        assert len(tweets) == 5
        assert reading.dropped == {"invalid JSON": 1, "neither JSON nor id|date|text": 2}

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (
                "one\ntwo\n",
                r"t\.txt:1: expected a tweet, found a malformed tweet \(neither JSON .*; malformed tweets .*: 2 of 2\)",
            ),
            (
                "\n" + json.dumps({**RECORD, "created_at": "x"}),
                r"t\.txt:2: expected a tweet, found a malformed tweet \(invalid date",
            ),
            (json.dumps([V1], indent=1)[:-9], r"t\.txt: expected one JSON document or one JSON value per line"),
            (json.dumps(RECORD)[:-9], r"t\.txt:1: expected a tweet, found a malformed tweet \(invalid JSON"),
            ("[" * 100_000, r"t\.txt: expected one JSON document"),
        ],
    )
    def test_mostly_broken(self, content, message):
        with pytest.raises(SentrepError, match=message):
            read(("t.txt", content))

    def test_sources(self, tmp_path):
        plain, packed, archive = tmp_path / "a.json", tmp_path / "b.jsonl.xz", tmp_path / "c.tar.gz"
        plain.write_text(json.dumps(RECORD))
        packed.write_bytes(lzma.compress(json.dumps({**RECORD, "id": "2"}).encode()))
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(plain, "d/e.json")
        write_json(tmp_path / "m.json", {"name": "x", "files": [{"path": str(p)} for p in (plain, packed, archive)]})
        reading = Reading()
        assert [t.id for t in read_tweets(tmp_path / "m.json", reading)] == ["1", "2"]
        assert reading.dropped == {"duplicate id": 1}
        assert [t.id for path in (plain, packed) for t in read_tweets(path, Reading())] == ["1", "2"]

    def test_damaged_sources(self, tmp_path):
        path = tmp_path / "b.jsonl.xz"
        with pytest.raises(SentrepError, match="found no file"):
            list(read_tweets(path, Reading()))
        content = "\n".join(json.dumps({**RECORD, "id": str(i * 7919 % 10_007)}) for i in range(10_000))
        path.write_bytes(lzma.compress(content.encode())[:-200])
        with pytest.raises(SentrepError, match=r"b\.jsonl\.xz: expected a complete and readable file"):
            list(read_tweets(path, Reading()))
        (tmp_path / "empty.jsonl").write_text("\n")
        with pytest.raises(SentrepError, match=r"empty\.jsonl: expected at least one tweet in English, found none"):
            list(read_tweets(tmp_path / "empty.jsonl", Reading()))


class TestCleaning:
    @pytest.mark.parametrize(
        ("text", "paper", "released_code"),
        [
            ("RT @a_b: Hello, World!", "hello world", "hello world"),
            ("Look RT @a: it", "look it", "look it"),
            ("#Ebola#WHO and ##x #", "#ebola #who and #x", "#ebola #who and #x"),
            ("a http://t.co/Xy1 b https://bit.ly/#q", "a b", "a b"),
            ("cut http:/ ...", "cut", "cut"),
            ("cut htt…", "cut", "cut"),
            ("1,000.5 in 3rd F-16 -5", "0 in 0rd f 0 0", "0 0 0 in 0rd f 0 0"),
            ("Q&amp;A &lt;b&gt; $400 £5", "q&a b $0 £0", "q&a b $0 0"),
            ("it’s ' '' don't", "it's don't", "its don't"),
            ("Zoë naïve", "zoë naïve", "zoe naive"),
            ("@some_one hi_there", "@some_one hi_there", "@some one hi there"),
            ("hello@x.org 50%", "hello@x org 0", "hello@x org 0"),
            ("http is a word", "http is a word", "http is a word"),
            ("", "", ""),
        ],
    )
    def test_clean(self, text, paper, released_code):
        assert clean(text) == paper.split()
        assert clean(text, "released_code") == released_code.split()

    def test_url_token(self):
        assert clean("a http://t.co/x1 B url", url_token="keep") == ["a", "url", "b", "url"]
        assert clean("a http://t.co/x1 B url") == ["a", "b"]

    def test_kinds_of_tokens(self):
        assert len(UNINFORMATIVE) == 83
        assert [t for t in ("a", "0", "url", "#a", "@a", "0rd", "&", "$0") if is_veritable(t)] == [
            "a",
            "0rd",
            "&",
            "$0",
        ]
        assert [t for t in ("#news", "#ebola", "ebola", "#0") if is_informative_hashtag(t)] == ["#ebola"]


class TestSample:
    def test_is_the_same_each_time_and_says_that_it_is_sample(self, tmp_path):
        paths = [tmp_path / name for name in ("a.jsonl", "b.jsonl")]
        assert [write(path) for path in paths] == [1619, 1619]
        assert paths[0].read_bytes() == paths[1].read_bytes()
        for line in paths[0].read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            assert record["sample"] is True
            assert record["id"].startswith("sample-")
            assert record["user"] in ACCOUNTS
            assert len(record["text"]) <= 140 or record["text"].startswith("RT @sample_news_")
        assert write(tmp_path / "c.jsonl", seed=2)
        assert (tmp_path / "c.jsonl").read_bytes() != paths[0].read_bytes()


@pytest.mark.mirror
def test_both_forms_of_the_uci_set_hold_the_same_tweets(mirror: Path):
    texts = []
    for name in ("Health-Tweets.tar.xz", "uci-health-news.jsonl.xz"):
        reading = Reading()
        tweets = list(read_tweets(mirror / "tweets" / name, reading))
        # In seven lines, the id in the jsonl file begins with the quotation mark that a spreadsheet added.
        texts.append({tweet.id.strip('"'): (tweet.user, tweet.created_at, clean(tweet.text)) for tweet in tweets})
        assert len(reading.tweets) == 16
    assert len(texts[0]) - len(texts[1]) == 5  # the jsonl file lacks five tweets
    differing = [i for i, record in texts[1].items() if texts[0][i] != record]
    assert len(differing) < 20
