import { inertLine } from '../../base/text.ts';

interface ThoughtLine {
  /** More of a thought; gives the line that tells of it as soon as there is enough for one, once. */
  push(text: string): string | undefined;
  /** The thought is over; gives the line where it was too short to have been told of. */
  end(): string | undefined;
}

/** Characters of a line, and how many it takes to tell before the thought is over. */
const maxLine = 120;

/** One line for each thought: what it begins with. The stable chat API has no place for more of it. Pure but for its state. */
export function createThoughtLine(): ThoughtLine {
  let text = '';
  let isTold = false;
  const tell = (): string | undefined => {
    const line = inertLine(firstParagraph(text).replace(/\*\*|^#+\s*/gu, ''), maxLine);
    isTold = line !== '';
    return isTold ? line : undefined;
  };
  return {
    push(more) {
      if (isTold) return undefined;
      text += more;
      const begun = text.trimStart();
      return begun.length >= maxLine || begun.includes('\n') ? tell() : undefined;
    },
    end() {
      const line = isTold ? undefined : tell();
      text = '';
      isTold = false;
      return line;
    },
  };
}

function firstParagraph(text: string): string {
  return text.trimStart().split('\n', 1)[0] ?? '';
}
