// The page's fold against the examples that it shares with Python.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const here = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const source = here("../../../boardfw/services/web/pages/state.js");
const { fold } = await import("data:text/javascript," + encodeURIComponent(source));
const vectors = JSON.parse(here("fold_vectors.json"));

test("deltas fold over a state as they do in Python", () => {
  assert.ok(vectors.length > 10);
  for (const { before, deltas, after } of vectors) {
    const kept = JSON.stringify(before);
    assert.deepEqual(deltas.reduce(fold, before), after);
    assert.equal(JSON.stringify(before), kept, "a state is replaced, never changed");
  }
});
