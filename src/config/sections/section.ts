/** What nobody writes to, however deep. */
export type ReadonlyDeep<T> = T extends readonly (infer Each)[]
  ? readonly ReadonlyDeep<Each>[]
  : T extends object
    ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> }
    : T;

/** One part of the config: what holds where no file says anything, and what a workspace's file can make of it. */
export interface ConfigSection<Said, Holds> {
  /** What the user's file says, with every default. */
  resolve(said: Said | undefined): Holds;
  /** What a workspace's file takes away; never more than before is possible afterwards. */
  tighten(holds: Holds, said: ReadonlyDeep<Said>): Holds;
  /** Keys of a workspace's file that have no effect, since they would loosen what `holds`. */
  ignored(said: Said, holds: Holds): readonly string[];
}

/** The keys, each where its condition holds. */
export function keysWhere(conditions: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.entries(conditions).flatMap(([key, isSet]) => (isSet ? [key] : []));
}

/** The one of two choices that stands first in `order`, which goes from strict to loose. */
export function stricterOf<T>(order: readonly T[], holds: T, said: T | undefined): T {
  return isLooser(order, holds, said) || said === undefined ? holds : said;
}

/** True where `said` would allow more than `holds`. */
export function isLooser<T>(order: readonly T[], holds: T, said: T | undefined): boolean {
  return said !== undefined && order.indexOf(said) > order.indexOf(holds);
}

/** The entries that both name; all that holds where nothing is said. */
export function shared(holds: readonly string[], said: readonly string[] | undefined): readonly string[] {
  return said === undefined ? holds : holds.filter((each) => said.includes(each));
}

/** True where `said` names something that `holds` does not. */
export function addsTo(holds: readonly string[], said: readonly string[] | undefined): boolean {
  return said?.some((each) => !holds.includes(each)) === true;
}
