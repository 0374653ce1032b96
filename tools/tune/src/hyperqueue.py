"""Moves trials from standard input to tasks of HyperQueue, and their answers to standard output.

A task passes its line to `terrace-tune trial --warm` and leaves the answer in a folder by renaming a file. The folder is looked at often,
since the client of HyperQueue looks once a second; that is only needed for tasks that left none. Arguments: the program, the folder, the
folder of a running server or nothing, cores of the worker that is started where there is no server. A server that is started here stops
at the end of the input, or at a SIGTERM.
"""

import json
import os
import queue
import signal
import sys
import threading
import time

TASK = '"$0" trial --warm > "$1.part"; mv "$1.part" "$1"'
# Seconds between two looks: at the folder, and at tasks that failed
SOON, SELDOM = 0.003, 1.0
# Seconds after which a file that another machine wrote is seen here: those for which network file systems keep a folder's contents
LATE = 60.0
# Longest path in which a socket with a name has room
LONGEST = 90


class Looked(Exception):
    pass


def ended(client, jobs):
    """Jobs all of whose tasks have finished, failed or been cancelled; the client waits for that, and one look is enough"""
    found = {}

    def look(status):
        found.update(status)
        raise Looked

    try:
        client.connection.wait_for_jobs(list(jobs), look)
    except Looked:
        pass
    return [job for job in jobs if job not in found or found[job]["completed"]]


def local(spool, cores):
    """A server and its worker, whose files go with the folder of answers: they remove none"""
    from hyperqueue import LocalCluster
    from hyperqueue.cluster import WorkerConfig

    before = os.environ.get("TMPDIR")
    if len(spool) < LONGEST:
        os.environ["TMPDIR"] = spool
    cluster = LocalCluster()
    cluster.start_worker(WorkerConfig(cores=cores))
    # Tasks have the usual one.
    if before is None:
        os.environ.pop("TMPDIR", None)
    else:
        os.environ["TMPDIR"] = before
    return cluster


def read(lines):
    # `sys.stdin` is closed at the end, and this thread may still wait then.
    for line in open(0, "rb", closefd=False):
        lines.put(line)
    lines.put(None)


def taken(lines, wait):
    """Lines that have come; the first one is waited for"""
    found = []
    try:
        found.append(lines.get(timeout=wait))
        while True:
            found.append(lines.get_nowait())
    except queue.Empty:
        return found


def main(program, spool, server, cores):
    # What HyperQueue prints is no answer.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    # It may be filled by a handler of signals.
    lines = queue.SimpleQueue()
    signal.signal(signal.SIGTERM, lambda *_: lines.put(None))
    try:
        from hyperqueue import Client, Job
    except ImportError:
        sys.exit("Python has no package `hyperqueue`: `pip install hyperqueue`, and name that Python in TERRACE_PYTHON")
    cluster = None if server else local(spool, cores)
    client = cluster.client() if cluster else Client(server)
    late = SELDOM if cluster else LATE

    def say(value):
        out.write(value if isinstance(value, str) else json.dumps(value) + "\n")
        out.flush()

    say({"greeting": 2, "process": os.getpid()})
    threading.Thread(target=read, args=(lines,), daemon=True).start()
    tasks, jobs, over, count, looked = {}, {}, {}, 0, time.monotonic()

    def answer(name, text, why):
        own = tasks.pop(name)
        try:
            whole = json.loads(text)["id"] == own
        except (ValueError, KeyError, TypeError):
            whole = False
        say(text if whole else {"trial": 2, "id": own, "status": "lost", "reason": why})

    while True:
        batch = taken(lines, SOON if tasks else None)
        job = Job(max_fails=None)
        for line in batch:
            if line is None:
                if cluster:
                    cluster.stop()
                return
            count += 1
            place = os.path.join(spool, f"{count}.json")
            job.program(["sh", "-c", TASK, program, place], stdin=line, stdout=None, stderr=None)
            tasks[f"{count}.json"] = json.loads(line)["id"]
            jobs.setdefault(id(job), (job, []))[1].append(f"{count}.json")
        if batch:
            _, names = jobs.pop(id(job))
            jobs[client.submit(job).id] = names
        for name in [name for name in os.listdir(spool) if name in tasks]:
            with open(os.path.join(spool, name)) as file:
                answer(name, file.read(), "the task left no answer")
            os.remove(os.path.join(spool, name))
        if time.monotonic() - looked > SELDOM:
            looked = time.monotonic()
            for job, names in list(jobs.items()):
                if not any(name in tasks for name in names):
                    del jobs[job]
                    over.pop(job, None)
                    continue
                for task, failed in client.connection.get_failed_tasks([job]).get(job, {}).items():
                    if names[task] in tasks and names[task] not in os.listdir(spool):
                        answer(names[task], "", f"the task failed: {failed.error}")
            # A task that was cancelled has not failed.
            for job in ended(client, jobs) if jobs else []:
                if looked - over.setdefault(job, looked) < late:
                    continue
                for name in [name for name in jobs[job] if name in tasks and name not in os.listdir(spool)]:
                    answer(name, "", "the task ended without an answer")


main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
