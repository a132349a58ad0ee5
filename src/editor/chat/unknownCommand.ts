import { nearestFirst } from '../../base/nearestFirst.ts';

export interface UnknownCommand {
  readonly name: string;
  /** What there is, the most similar first. */
  readonly known: readonly string[];
}

/**
 * A message that begins with `/` and a word is meant as a command: one that nobody has is told, instead of a model that makes
 * something of it. Undefined for anything else, such as a path. Pure.
 */
export function unknownCommand(prompt: string, known: readonly string[]): UnknownCommand | undefined {
  const name = /^\/(?<name>[a-z][\w-]*)(?=\s|$)/iu.exec(prompt.trim())?.groups?.['name']?.toLowerCase();
  if (name === undefined || known.includes(name)) return undefined;
  return { name, known: nearestFirst(name, known) };
}
