/** What nobody writes to, however deep. */
export type ReadonlyDeep<T> = T extends readonly (infer Each)[]
  ? readonly ReadonlyDeep<Each>[]
  : T extends object
    ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> }
    : T;

/** One part of the config: what holds where no file says anything, and what a workspace's file can make of it. */
export interface ConfigSection<Said, Holds> {
  /** What the user's file says, with every default. */
  resolve(input: Said | undefined): Holds;
  /** What a workspace's file takes away; never more than before is possible afterwards. */
  tighten(holds: Holds, input: ReadonlyDeep<Said>): Holds;
  /** Keys of a workspace's file that have no effect, since they would loosen what `holds`. */
  ignored(input: Said, holds: Holds): readonly IgnoredKey[];
}

/** A key without effect: where it stands, and how a message names it. */
export interface IgnoredKey {
  readonly path: readonly string[];
  readonly text: string;
}

/** The keys, each where its condition holds; a text in place of `true` goes on behind the key. */
export function keysWhere(conditions: Readonly<Record<string, boolean | string>>): readonly IgnoredKey[] {
  return Object.entries(conditions).flatMap(([key, condition]) => {
    if (condition === false) return [];
    return [{ path: key.split('.'), text: condition === true ? key : `${key}${condition}` }];
  });
}

/** The one of two choices that stands first in `order`, which goes from strict to loose. */
export function stricterOf<T>(order: readonly T[], holds: T, input: T | undefined): T {
  return isLooser(order, holds, input) || input === undefined ? holds : input;
}

/** True where `input` would allow more than `holds`. */
export function isLooser<T>(order: readonly T[], holds: T, input: T | undefined): boolean {
  return input !== undefined && order.indexOf(input) > order.indexOf(holds);
}

/** The entries that both name; all that holds where the input names nothing. */
export function shared(holds: readonly string[], input: readonly string[] | undefined): readonly string[] {
  return input === undefined ? holds : holds.filter((each) => input.includes(each));
}

/** True where `input` names something that `holds` does not. */
export function addsTo(holds: readonly string[], input: readonly string[] | undefined): boolean {
  return input?.some((each) => !holds.includes(each)) === true;
}
