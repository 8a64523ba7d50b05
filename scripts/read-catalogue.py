#!/usr/bin/env python3
"""Keeps a copy of the lists of a published catalogue. Needs `openssl` 3.0 and `zstd`. Exit codes: 0
done, 1 a file could not be read or written, 2 wrong usage, 3 refused. Only 0 changes the lists."""
import argparse, base64, contextlib, functools, hashlib, heapq, hmac, http.client, itertools, json
import operator, os, pathlib, re, subprocess, sys, tempfile, time, urllib.error, urllib.request
LARGEST = 262_144  # Of a head. Roots are smaller.
ROLES, NUMBER, NAME = ("root", "timestamp", "catalogue"), "[0-9]{1,16}", '"[A-Za-z0-9_-]{1,64}"'
INDEX, SIGNATURES = {"sha256": '"[0-9a-f]{64}"', "bytes": NUMBER}, {"signatures": r"\[.*\]"}
BASE64 = '"[A-Za-z0-9+/]{43}="|"[A-Za-z0-9+/]{86}=="'  # Keys or signatures.
SIGNED = {"format": "1", "version": NUMBER, "expires": NUMBER}
ROOT = {"role": '"root"', **SIGNED, "epoch": NAME, "keys": r"\{.*\}",
        **dict.fromkeys(ROLES, {"keys": r'\[("\w*"(, )?)*\]', "threshold": NUMBER})}
TIMESTAMP = {"role": '"timestamp"', **SIGNED, "catalogue": {"version": NUMBER, **INDEX}}
CATALOGUE = {"role": '"catalogue"', **SIGNED, "epoch": NAME, "root": NUMBER, "time": NUMBER}
LIST = {"list": NAME, "family": '".*"|null', "revision": NUMBER, "rows": NUMBER,
        "digest": '"[0-9a-f]{32}"', "index": INDEX}
SEGMENT = {**INDEX, **dict.fromkeys("from to time period plainBytes lines".split(), NUMBER)}
is_url, first = re.compile("https?://").match, operator.itemgetter(0)
lines_of = re.compile(rb"[^\n]*\n|[^\n]+").findall  # `parsed` refuses one without a line feed.
id_of = re.compile(rb'\s*\{\s*"id"\s*:\s*([0-9]{1,16})\s*,').match
run = functools.partial(subprocess.run, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
Refusal = type("Refusal", (Exception,), {})  # Has a name of the document, and a sentence.
def demand(condition, name, sentence):
    if not condition:
        raise Refusal(name, sentence)
def fits(value, shape):  # A shape is a pattern of JSON text, or has those of properties.
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(fits(value.get(key), shape[key]) for key in shape)
    return bool(re.fullmatch(shape, json.dumps(value)))
def parsed(line, shape, what):
    with contextlib.suppress(ValueError, RecursionError):
        value = json.loads(line.decode(), parse_constant=bytes.fromhex)  # Fails: JSON has no NaN.
        if line.endswith(b"\n") and fits(value, shape):
            return value
    raise Refusal("malformed", f"A line of {what} is not what it must be.")
def bytes_of(text):
    return base64.b64decode(text) if fits(text, BASE64) else b""
def temporary(data):
    file = tempfile.NamedTemporaryFile()
    file.write(data)
    file.seek(0)
    return file
def is_valid(signed, line, root, role):
    """Counts the different keys of the role with a correct signature, and ignores all others."""
    correct, wanted = set(), set(root[role]["keys"])
    for entry in line["signatures"]:
        if fits(entry, {"key": '".*"', "signature": '".*"'}) and entry["key"] in wanted - correct:
            # The prefix makes a SubjectPublicKeyInfo of the 32 bytes of an Ed25519 key.
            der = bytes.fromhex("302a300506032b6570032100") + bytes_of(root["keys"][entry["key"]])
            files = [temporary(data) for data in (signed, der, bytes_of(entry["signature"]))]
            names = [file.name for file in files]
            if run(("openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-keyform", "DER", "-in",
                    names[0], "-inkey", names[1], "-sigfile", names[2])).returncode == 0:
                correct.add(entry["key"])
    return len(correct) >= root[role]["threshold"]
def fetch(source, path, allowed=LARGEST, sha256=None):
    """Returns the bytes of a file, or None if there is no such root. One byte more is a refusal."""
    try:
        with (urllib.request.urlopen(f"{source.rstrip('/')}/{path}", timeout=60)
              if is_url(source) else open(os.path.join(source, path), "rb")) as stream:
            data = stream.read(allowed + 1)
    except (FileNotFoundError, urllib.error.HTTPError) as error:
        if path.startswith("root/") and getattr(error, "code", 404) in (404, 410):
            return None
        raise
    demand(len(data) <= allowed, "too_long", f"{path} has more than {allowed} bytes.")
    demand(not sha256 or len(data) == allowed, "truncated", f"{path} has not {allowed} bytes.")
    demand(sha256 in (None, hashlib.sha256(data).hexdigest()), "wrong_hash", f"{path} is not it.")
    return data
def read_root(data, before, version):
    lines = lines_of(data or b"")
    demand(len(lines) == 2, "malformed", "There is no root of two lines.")
    root, signatures = parsed(lines[0], ROOT, "a root"), parsed(lines[1], SIGNATURES, "a root")
    keys = {key for key, text in root["keys"].items() if len(raw := bytes_of(text)) == 32
            and hashlib.sha256(raw).hexdigest()[:16] == key}
    demand(keys == root["keys"].keys() and all(
        set(role["keys"]) <= keys and 1 <= role["threshold"] <= len(set(role["keys"]))
        for role in map(root.get, ROLES)), "bad_root", "An id or a threshold has no such keys.")
    demand(version in (None, root["version"]) and all(is_valid(lines[0], signatures, by, "root")
           for by in (root, before or root)), "bad_root", "It is not valid for itself or the last.")
    return root
def read_head(data, trust, now, on_medium):  # Checks in the order that the document demands.
    lines, root, seen = lines_of(data), trust["root"], trust["head"]
    shapes = (TIMESTAMP, SIGNATURES, CATALOGUE, *[LIST] * (len(lines) - 4), SIGNATURES)
    values = [parsed(*two, "a head") for two in itertools.zip_longest(lines, shapes, fillvalue=b"")]
    timestamp, catalogue, signed = values[0], values[2], b"".join(lines[2:-1])
    for line, signatures, role in zip((lines[0], signed), values[1::len(lines) - 2], ROLES[1:]):
        demand(is_valid(line, signatures, root, role), "bad_signature", f"No {role} signed it.")
    found = {"version": catalogue["version"], "sha256": hashlib.sha256(signed).hexdigest()}
    demand(not seen or timestamp["version"] >= seen["timestamp"] and (found == seen["catalogue"] or
           found["version"] > seen["catalogue"]["version"]), "older_head", "A newer one was seen.")
    for part in (root, catalogue) if on_medium else (root, timestamp, catalogue):
        demand(part["expires"] > now, "expired", f"The {part['role']} has expired.")
    demand(timestamp["catalogue"] == {**timestamp["catalogue"], **found, "bytes": len(signed)},
           "mixed", "The timestamp describes another catalogue.")
    demand(catalogue["epoch"] == root["epoch"], "foreign_epoch", "The epoch is not the root's.")
    demand(catalogue["root"] <= root["version"], "older_root", "The newest root is withheld.")
    return values[3:-1], {"timestamp": timestamp["version"], "catalogue": found}
def way_to(revision, position, segments):  # The one of the fewest bytes, or None.
    ways = {position: (0, [])}
    for each in sorted(segments, key=operator.itemgetter("to")):
        for cost, way in [ways[at] for at in ways if each["from"] <= at < each["to"]]:
            way = (cost + each["bytes"] + 300, [*way, each])
            ways[each["to"]] = min(ways.get(each["to"], way), way, key=first)
    return ways.get(revision, (0, None))[1]
def records_of(segment, path, family, source, keys):
    """Yields id and line of the records of a segment, with None for the line of a withdrawn one."""
    sealed = fetch(source, path, segment["bytes"], segment["sha256"])
    key, left, last, count = bytes_of(keys["keys"].get(family)), segment["plainBytes"], -1, 0
    demand(len(key) == 32 and segment["period"] <= keys["period"], "no_key", f"{path} needs one.")
    for _ in range(keys["period"] - segment["period"]):  # A key is the hash of the next period's.
        key = hashlib.sha256(key).digest()
    frame = run(("openssl", "enc", "-d", "-aes-256-ctr", "-iv", "0" * 32, "-K",
                 hmac.digest(key, sealed[:16], "sha256").hex()), input=sealed[16:]).stdout
    demand(frame[:4] == b"\x28\xb5\x2f\xfd", "malformed", f"{path} has no Zstandard frame.")
    with subprocess.Popen(("zstd", "-dcq", "--memory=16MiB"), stdin=temporary(frame),
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        while line := process.stdout.readline(left + 1):
            left, count = left - len(line), count + 1
            demand(left >= 0, "too_long", f"{path} is longer than its plainBytes.")
            record = parsed(line, {"id": NUMBER, "withdrawnTime": f"{NUMBER}|null"}, path)
            demand(record["id"] > last and ("id", "withdrawnTime") == ([*record][0], [*record][-1]),
                   "malformed", f"{path} has ids or properties in a wrong order.")
            last = record["id"]
            yield last, line if record["withdrawnTime"] is None else None
    demand(process.returncode == left == 0 and count == segment["lines"], "malformed",
           f"{path} is not a frame with the announced length and lines and a window of 16 MiB.")
def update(line, epoch, source, keys, copy, stage):  # Replaces nothing yet, and stages the files.
    name, revision, index = line["list"], line["revision"], line["index"]
    lines, kept = copy / f"{name}.jsonl", copy / f"{name}.state.json"
    old = json.loads(kept.read_bytes()) if kept.exists() and lines.exists() else {"epoch": None}
    # A reader without a copy in this epoch is at revision 0, where nothing but snapshots begins.
    for position in (old["revision"] if old["epoch"] == epoch else 0, 0):
        way, sources, sums = [], [], []
        if position:  # A damaged line becomes one that the digest shows.
            sources = [((int((id_of(each) or (0, 2**53))[1]), each) for each in open(lines, "rb"))]
        if position != revision:
            path = f"{epoch}/{name}/{revision}.{index['sha256']}.index"
            data = fetch(source, path, index["bytes"], index["sha256"])
            segments = [parsed(each, SEGMENT, path) for each in lines_of(data)]
            way = way_to(revision, position, segments) or way_to(revision, 0, segments)
            demand(way, "malformed", f"{path} leads from no snapshot to its revision.")
        for each in way:
            path = f"{epoch}/{name}/{each['from']}-{each['to']}.{each['sha256']}.jsonl.zst.sealed"
            new = records_of(each, path, line.get("family") or "-", source, keys)
            # A snapshot replaces everything, since it does not tell what was withdrawn.
            sources = [*sources, new] if each["from"] else [new]
        with open(stage / lines.name if way or not position else os.devnull, "wb") as file:
            for _, same in itertools.groupby(heapq.merge(*sources, key=first), first):
                *_, (_, record) = same  # The last one is that of the latest segment.
                if record is not None:
                    file.write(record)
                    sums.append(int(hashlib.sha256(record[:-1]).hexdigest()[:32], 16))
        if (len(sums), f"{sum(sums) % 2**128:032x}") == (line["rows"], line["digest"]):
            return (stage / kept.name).write_text(json.dumps(dict(revision=revision, epoch=epoch)))
        print(f"{name} differs from the head: fetching it again from a snapshot.", file=sys.stderr)
    raise Refusal("wrong_digest", f"{name} differs from the head after a snapshot, too.")
def commit(trust, stage, copy):
    (stage / "trust.json").write_text(json.dumps(trust))
    for path in sorted(stage.iterdir()):  # The records of a list come before its state.
        path.replace(copy / path.name)
def main(source, keys, copy, root_file, wanted, stage):
    stored, now = copy / "trust.json", time.time_ns() // 1_000_000
    old = trust = json.loads(stored.read_bytes()) if stored.exists() else None
    if not trust:
        data = fetch("", root_file) if root_file else fetch(source, "root/1.jsonl")
        trust = {"root": read_root(data, None, None if root_file else 1), "head": None}
        print("The first root is trusted from", root_file or "the tree itself", file=sys.stderr)
    while (data := fetch(source, f"root/{trust['root']['version'] + 1}.jsonl")) is not None:
        before, root = trust["root"], read_root(data, trust["root"], trust["root"]["version"] + 1)
        same = before["epoch"] == root["epoch"] and all(
            set(before[role]["keys"]) == set(root[role]["keys"]) for role in ROLES[1:])
        trust = {"root": root, "head": trust["head"] if same else None}  # Forgets what it has seen.
    if old and trust != old and trust["root"]["expires"] > now:
        commit(trust, stage, copy)
    lists, trust["head"] = read_head(fetch(source, "head.jsonl"), trust, now, not is_url(source))
    by_name = {each["list"]: each for each in lists}
    own = keys["keys"]
    closed = [] if wanted else [n for n in by_name if (by_name[n].get("family") or "-") not in own]
    wanted = wanted.split(",") if wanted else by_name
    lists = [by_name[name] for name in wanted if name not in closed]
    if closed:
        print("Without keys, and left out:", *closed, file=sys.stderr)
    for each in lists:
        update(each, trust["root"]["epoch"], source, keys, copy, stage)
    commit(trust, stage, copy)
    for each in lists:
        print(each["list"], each["revision"], each["rows"], each["digest"])
if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in ("from", "keys", "copy", "root", "lists"):
        parser.add_argument(f"--{name}", required=name in ("from", "keys", "copy"))
    args = vars(parser.parse_args())
    try:
        keys, copy = json.loads(pathlib.Path(args["keys"]).read_bytes()), pathlib.Path(args["copy"])
        if fits(keys, {"licence": {"tree": r"\{.*\}"}}):  # The file that the service hands out.
            keys = keys["licence"]["tree"]
        if not fits(keys, {"period": NUMBER, "keys": r"\{.*\}"}):
            parser.error("--keys is not a file of keys")
        copy.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=copy) as stage:
            main(args["from"], keys, copy, args["root"], args["lists"], pathlib.Path(stage))
    except Refusal as refusal:
        print("refused: {}: {}".format(*refusal.args), file=sys.stderr)
        sys.exit(3)
    except (OSError, ValueError, LookupError, http.client.HTTPException) as error:
        sys.exit(f"failed: {error}")
