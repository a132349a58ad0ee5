import type { Imports } from './readImports.ts';

/**
 * The groups of files that reach each other by their imports, each with its shortest way around. Deterministic: files go in the
 * order of their names. Pure; linear in the number of imports, but for the ways.
 */
export function findCycles(imports: Imports): readonly (readonly string[])[] {
  return groupsOf(imports)
    .map((group) => shortestWay(imports, group))
    .sort(([a = ''], [b = '']) => a.localeCompare(b));
}

/** Tarjan's strongly connected components, without single files that do not import themselves. */
function groupsOf(imports: Imports): readonly ReadonlySet<string>[] {
  const found: ReadonlySet<string>[] = [];
  const order = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const visit = (file: string): number => {
    const own = order.size;
    order.set(file, own);
    open.push(file);
    isOpen.add(file);
    let lowest = own;
    for (const next of imports.get(file) ?? []) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next));
      else if (isOpen.has(next)) lowest = Math.min(lowest, order.get(next) ?? lowest);
    }
    if (lowest === own) {
      const group = open.splice(open.indexOf(file));
      for (const each of group) isOpen.delete(each);
      if (group.length > 1 || imports.get(file)?.includes(file) === true) found.push(new Set(group));
    }
    return lowest;
  };
  for (const file of [...imports.keys()].sort()) if (!order.has(file)) visit(file);
  return found;
}

/** From one file of a group back to it, by as few files as there are; the first file stands at both ends. */
function shortestWay(imports: Imports, group: ReadonlySet<string>): readonly string[] {
  const ways = [...group].sort().map((start) => wayBack(imports, group, start));
  return ways.reduce((best, way) => (way.length < best.length ? way : best));
}

function wayBack(imports: Imports, group: ReadonlySet<string>, start: string): readonly string[] {
  const seen = new Set<string>();
  let ways: readonly (readonly string[])[] = [[start]];
  for (;;) {
    const longer: (readonly string[])[] = [];
    for (const way of ways) {
      for (const next of imports.get(way.at(-1) ?? '') ?? []) {
        if (next === start) return [...way, next];
        if (!group.has(next) || seen.has(next)) continue;
        seen.add(next);
        longer.push([...way, next]);
      }
    }
    ways = longer;
  }
}
