import { quoteFile } from '../quoteFile.ts';
import type { RulesFile } from './rulesFile.ts';

export interface NestedRulesPlan {
  /** What comes before the result; empty where there is nothing new. */
  readonly text: string;
  /** What the session has been told by then: texts by absolute path. */
  readonly told: ReadonlyMap<string, string>;
}

const maxPerFile = 8_000;
/** Characters around a file's text. */
const wrapping = 400;

/**
 * What a tool result says of the rules that hold for a file it touched. Each is told once, and again when it has changed; one
 * that does not fit beside the result is only named, so that the result stays whole. Pure.
 */
export function planNestedRules(
  files: readonly RulesFile[],
  told: ReadonlyMap<string, string>,
  { mark, room }: { readonly mark: string; /** Characters. */ readonly room: number },
): NestedRulesPlan {
  const after = new Map(told);
  const texts: string[] = [];
  let left = room;
  for (const file of files) {
    if (told.get(file.path) === file.text) continue;
    after.set(file.path, file.text);
    const max = Math.min(maxPerFile, left - wrapping);
    const text = max < Math.min(file.text.length, maxPerFile) ? pointer(file, mark) : whole(file, mark, max);
    left -= text.length + 2;
    texts.push(text);
  }
  return { text: texts.join('\n\n'), told: after };
}

function whole(file: RulesFile, mark: string, max: number): string {
  const { label, text, appliesTo } = file;
  const quoted = quoteFile(text, { label, max, ...(appliesTo === undefined ? {} : { appliesTo }) });
  return `[${mark}: these rules hold below ${appliesTo ?? label}]\n${quoted.text}`;
}

function pointer({ label, appliesTo }: RulesFile, mark: string): string {
  return `[${mark}: rules hold below ${appliesTo ?? label}. Read ${label} before you change anything there.]`;
}
