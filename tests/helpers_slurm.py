"""A Slurm cluster with one node on this machine, which uses Debian's slurm-wlm and munge without changing /etc."""

import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

PROGRAMS = ("munged", "mungekey", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scontrol")
CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/jobs.txt
ReturnToService=2
MinJobAge=600
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory={memory} State=UNKNOWN
PartitionName=only Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


class Slurm:
    """The cluster; `environment` contains the variables with which commands find it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}
        self._daemons: list[subprocess.Popen] = []

    def start(self) -> None:
        """Start the cluster, or skip the test and give the reason."""
        os.environ["PATH"] += os.pathsep + "/usr/sbin" + os.pathsep + "/sbin"
        missing = [program for program in PROGRAMS if shutil.which(program) is None]
        if missing:
            pytest.skip(f"no Slurm: {', '.join(missing)} not found (Debian: apt-get install slurm-wlm munge)")
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        self.folder.chmod(0o755)
        # Job steps do not inherit SLURM_* variables. srun finds the configuration where it is on real clusters.
        commands = self.folder / "bin"
        commands.mkdir()
        srun = f'#!/bin/sh\nSLURM_CONF="{self.folder}/slurm.conf" exec "{shutil.which("srun")}" "$@"\n'
        (commands / "srun").write_text(srun)
        (commands / "srun").chmod(0o755)
        self.environment["PATH"] = f"{commands}{os.pathsep}{os.environ['PATH']}"
        values = {"host": socket.gethostname().partition(".")[0], "user": getpass.getuser(), "folder": self.folder}
        values |= {"controller": _free_port(), "daemon": _free_port(), "cores": os.cpu_count(), "memory": 4000}
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(**values))
        key = self.folder / "munge.key"
        subprocess.run(["mungekey", "--create", "--keyfile", str(key)], check=True)
        files = {"key": "munge.key", "pid": "munged.pid", "log": "munged.log", "seed": "munged.seed"}
        options = [f"--{kind}-file={self.folder}/{name}" for kind, name in files.items()]
        self._daemon("munged", "--foreground", "--force", "--socket", f"{self.folder}/munge.socket", *options)
        self._wait("munge", "--no-input", "--socket", f"{self.folder}/munge.socket")
        self._daemon("slurmctld", "-D", "-c")
        self._wait("scontrol", "ping", says="is UP")
        self._daemon("slurmd", "-D", "-N", values["host"])
        self._wait("sinfo", "--noheader", says="idle")

    def run(self, *command: str, cwd: Path | None = None, expect: int = 0) -> str:
        """Run a command that communicates with Slurm and return its output."""
        done = subprocess.run(
            command, env=self.environment, cwd=cwd, capture_output=True, text=True, check=False, timeout=7200
        )
        assert done.returncode == expect, (done.stdout + done.stderr)[-4000:]
        return done.stdout + done.stderr

    def jobs(self) -> list[dict[str, str]]:
        """Return Slurm's own record of the finished jobs."""
        lines = (self.folder / "jobs.txt").read_text().splitlines()
        return [dict(field.partition("=")[::2] for field in line.split() if "=" in field) for line in lines]

    def stop(self) -> None:
        """Stop all processes that were started."""
        for daemon in reversed(self._daemons):
            daemon.send_signal(signal.SIGTERM)
            try:
                daemon.wait(timeout=20)
            except subprocess.TimeoutExpired:
                daemon.kill()

    def _daemon(self, *command: str) -> None:
        log = (self.folder / f"{command[0]}.out").open("w")
        self._daemons.append(subprocess.Popen(command, env=self.environment, stdout=log, stderr=log))

    def _wait(self, *command: str, says: str = "") -> None:
        deadline = time.monotonic() + 30
        while True:
            done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
            if done.returncode == 0 and says in done.stdout:
                return
            ended = [daemon.args[0] for daemon in self._daemons if daemon.poll() is not None]
            if ended or time.monotonic() > deadline:
                self.stop()
                logs = "".join(path.read_text()[-1500:] for path in sorted(self.folder.glob("*.out")))
                pytest.skip(f"no Slurm: {ended or command[0]} did not start: {done.stdout}{done.stderr}{logs}")
            time.sleep(0.3)


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]
