import { editDistance } from '../../base/editDistance.ts';
import { nearestFirst } from '../../base/nearestFirst.ts';

/** The commands that there are, without their slash. */
export interface KnownCommands {
  readonly own: readonly string[];
  readonly plugins: readonly string[];
}

export interface UnknownCommand extends KnownCommands {
  readonly name: string;
  /** A command that is nearly the same; undefined where none is. */
  readonly meant: string | undefined;
}

/**
 * A message that begins with `/` and a word is meant as a command: one that nobody has is told, with what there is by the alphabet,
 * instead of a model that makes something of it. Undefined for anything else, such as a path. Pure.
 */
export function unknownCommand(prompt: string, { own, plugins }: KnownCommands): UnknownCommand | undefined {
  const name = /^\/(?<name>[a-z][\w-]*)(?=\s|$)/iu.exec(prompt.trim())?.groups?.['name']?.toLowerCase();
  const known = [...own, ...plugins];
  if (name === undefined || known.includes(name)) return undefined;
  const meant = nearestFirst(name, known).find(
    (each) => editDistance(name, each) <= Math.max(1, name.length / 3),
  );
  return { name, meant, own: own.toSorted(), plugins: plugins.toSorted() };
}
