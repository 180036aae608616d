// Which module goes into which file of dist/, from the graph of imports alone. `import()` marks what is
// loaded later: each module that is imported so, and each entry, begins a load. Modules that the same
// loads read always belong together. Beyond that, two files become one where reading a file less is
// worth more than the bytes that some loads then read in vain.

/**
 * @typedef {{ id: string, isEntry: boolean, size: number, imports: string[], laterImports: string[] }} Module
 * @typedef {{ order: number, modules: string[], size: number, loads: Uint8Array, uses: Set<Chunk>, isEntry: boolean }} Chunk
 */

/**
 * @param {Map<string, Module>} modules
 * @param {Map<string, number>} often how many times as often as the others some modules are loaded
 * @param {number} fileCost as how many bytes reading one more file counts
 * @returns {string[][]} the modules of each file
 */
export function planChunks(modules, often, fileCost) {
  const loads = listLoads(modules);
  const weights = loads.map(({ root }) => often.get(root) ?? 1);
  const chunks = mergeChunks(groupByLoads(modules, loads), weights, fileCost);
  return chunks.map((chunk) => chunk.modules);
}

/** What each load surely has in memory when it is done. */
function listLoads(modules) {
  const roots = new Set();
  for (const { id, isEntry, laterImports } of modules.values()) {
    if (isEntry) roots.add(id);
    for (const later of laterImports) roots.add(later);
  }
  const everything = new Set(modules.keys());
  const loads = [...roots].map((root) => ({ root, own: reach(modules, root), all: everything }));
  const importers = new Map(loads.map(({ root }) => [root, []]));
  for (const load of loads)
    for (const id of load.own)
      for (const later of modules.get(id).laterImports) importers.get(later).push(load);
  // Takes away until nothing changes: what is left is what all importers have, and what they import.
  let isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (const load of loads) {
      const before = modules.get(load.root).isEntry ? [] : importers.get(load.root);
      const all = load.own.union(intersection(before.map(({ all }) => all)));
      isChanged ||= all.size < load.all.size;
      load.all = all;
    }
  }
  return loads;
}

function reach(modules, root) {
  const seen = new Set([root]);
  for (const id of seen) for (const next of modules.get(id).imports) seen.add(next);
  return seen;
}

const intersection = ([first = new Set(), ...rest]) =>
  rest.reduce((common, set) => common.intersection(set), first);

function groupByLoads(modules, loads) {
  const chunks = new Map();
  const chunkOf = new Map();
  for (const { id, size, isEntry } of modules.values()) {
    const mask = Uint8Array.from(loads, ({ all }) => (all.has(id) ? 1 : 0));
    const key = mask.join("");
    const chunk = chunks.get(key) ?? {
      order: chunks.size,
      modules: [],
      size: 0,
      loads: mask,
      uses: new Set(),
      isEntry: false,
    };
    chunks.set(key, chunk);
    chunk.modules.push(id);
    chunk.size += size;
    chunk.isEntry ||= isEntry;
    chunkOf.set(id, chunk);
  }
  for (const { id, imports } of modules.values())
    for (const used of imports)
      if (chunkOf.get(used) !== chunkOf.get(id)) chunkOf.get(id).uses.add(chunkOf.get(used));
  return [...chunks.values()];
}

/** Greedily: the best pair first, until no pair is worth it. */
function mergeChunks(chunks, weights, fileCost) {
  const left = new Set(chunks.filter(({ isEntry }) => !isEntry));
  let pairs = listPairs(left, left, weights, fileCost);
  for (;;) {
    const best = findBestPair(pairs, weights, fileCost);
    if (best === null) return [...left, ...chunks.filter(({ isEntry }) => isEntry)];
    const changed = merge(chunks, best);
    left.delete(best.other);
    pairs = pairs
      .filter(({ one, other }) => !changed.has(one) && !changed.has(other))
      .concat(listPairs(changed.intersection(left), left, weights, fileCost));
  }
}

/** Those that would be worth it if what they need cost nothing. */
function listPairs(some, all, weights, fileCost) {
  const pairs = [];
  for (const one of some)
    for (const other of all) {
      if (other === one || (some.has(other) && other.order < one.order)) continue;
      const atMost = gainOf(one, other, weights, fileCost);
      if (atMost > 0) pairs.push({ one, other, atMost });
    }
  return pairs;
}

function findBestPair(pairs, weights, fileCost) {
  let best = null;
  for (const { one, other, atMost } of pairs.toSorted((a, b) => b.atMost - a.atMost)) {
    if (atMost <= (best?.gain ?? 0)) break;
    const gain = atMost - lossBelow(one, other, weights, fileCost);
    if (gain > (best?.gain ?? 0) && !isCircular(one, other)) best = { one, other, gain };
  }
  return best;
}

function gainOf(one, other, weights, fileCost) {
  let gain = 0;
  for (let at = 0; at < weights.length; at++) {
    const isOne = one.loads[at];
    const isOther = other.loads[at];
    if (isOne && isOther) gain += fileCost * weights[at];
    else if (isOne) gain -= other.size * weights[at];
    else if (isOther) gain -= one.size * weights[at];
  }
  return gain;
}

/** What the two need is then read by the loads of both. */
function lossBelow(one, other, weights, fileCost) {
  let loss = 0;
  for (const below of reachBelow([one, other]))
    for (let at = 0; at < weights.length; at++) {
      if (below.loads[at] || !(one.loads[at] || other.loads[at])) continue;
      // The code of an entry runs when it is read.
      if (below.isEntry) return Number.POSITIVE_INFINITY;
      loss += (below.size + fileCost) * weights[at];
    }
  return loss;
}

function reachBelow(chunks) {
  const seen = new Set(chunks.flatMap(({ uses }) => [...uses]));
  for (const chunk of seen) for (const next of chunk.uses) seen.add(next);
  return seen;
}

/** A way from one to the other through a third would become a circle. */
function isCircular(one, other) {
  const between = (from, to) => reachBelow([...from.uses].filter((chunk) => chunk !== to)).has(to);
  return between(one, other) || between(other, one);
}

/** Returns what is no longer as it was. */
function merge(chunks, { one, other }) {
  one.modules.push(...other.modules);
  one.size += other.size;
  one.loads = either(one, other);
  one.uses = one.uses.union(other.uses).difference(new Set([one, other]));
  for (const chunk of chunks) if (chunk.uses.delete(other) && chunk !== one) chunk.uses.add(one);
  const below = reachBelow([one]);
  for (const chunk of below) chunk.loads = either(chunk, one);
  return new Set([one, other, ...below]);
}

const either = (one, other) => one.loads.map((isRead, at) => isRead | other.loads[at]);
