import type { RulesFile } from './rulesFile.ts';

/**
 * Many repositories keep one text for several agents: a CLAUDE.md that is a copy of AGENTS.md or only points to it is not sent
 * twice. The file that stays says which others it stands for. Pure.
 */
export function leaveOutCopies(files: readonly RulesFile[]): readonly RulesFile[] {
  const kept: RulesFile[] = [];
  for (const file of files) {
    const twin = kept.findIndex((each) => each.appliesTo === file.appliesTo && isCopy(file, each));
    const original = kept[twin];
    if (original === undefined) kept.push(file);
    else
      kept[twin] = {
        ...original,
        note: `${noteBefore(original)}${file.label} says the same and is left out.`,
      };
  }
  return kept;
}

function noteBefore({ note }: RulesFile): string {
  return note === undefined ? '' : `${note} `;
}

function isCopy(file: RulesFile, original: RulesFile): boolean {
  const name = original.label.split('/').at(-1) ?? '';
  return wordsOf(file.text) === wordsOf(original.text) || onlyPointsTo(file.text, name);
}

function wordsOf(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

const maxPointer = 400;

/** `@AGENTS.md`, `See [AGENTS.md](./AGENTS.md).` and their like, with nothing else but a heading. */
function onlyPointsTo(text: string, name: string): boolean {
  const lines = text
    .slice(0, maxPointer + 1)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !/^<!--.*-->$/u.test(line));
  const [only] = lines;
  if (text.length > maxPointer || only === undefined || lines.length > 1) return false;
  const rest = only.replaceAll(/[@./()[\]`*_"':,-]/gu, ' ').split(/\s+/u);
  const bare = name.replace(/\.md$/iu, '').toLowerCase();
  const words = rest.map((word) => word.toLowerCase()).filter((word) => word !== '' && word !== 'md');
  return words.includes(bare) && words.every((word) => word === bare || pointing.has(word));
}

/** Words of a sentence that says no more than where the rules are. */
const pointing = new Set(
  'see read follow use please and the in at file for all instructions rules guidelines first also it this repository'.split(
    ' ',
  ),
);
