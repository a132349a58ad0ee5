/** What typing means for a command: lines are sent as a whole, as a terminal in its usual mode does. */
interface LineInput {
  /** What the terminal shows of it. */
  readonly echo: string;
  /** Whole lines, without their ends. */
  readonly lines: readonly string[];
  /** Ctrl+C. */
  readonly interrupts: boolean;
  /** Ctrl+D on an empty line. */
  readonly ends: boolean;
}

/** Collects what is typed or pasted into lines; keys that a plain line does not know, arrows for one, do nothing. */
export function createLineInput(): (data: string) => LineInput {
  let line: string[] = [];
  return (data) => {
    let echo = '';
    const lines: string[] = [];
    let interrupts = false;
    let ends = false;
    for (const key of keysOf(data)) {
      if (key === '\r' || key === '\n') {
        lines.push(line.join(''));
        line = [];
        echo += '\r\n';
      } else if (key === '\u007F' || key === '\b') {
        if (line.pop() !== undefined) echo += '\b \b';
      } else if (key === '\u0003') {
        line = [];
        interrupts = true;
        echo += '^C\r\n';
      } else if (key === '\u0004') {
        ends ||= line.length === 0;
      } else if (key === '\t' || key >= ' ') {
        line.push(key);
        echo += key;
      }
    }
    return { echo, lines, interrupts, ends };
  };
}

/** Single characters, without escape sequences; a pasted line end may be two characters. */
function keysOf(data: string): readonly string[] {
  return Array.from(data.replace(/\r\n/gu, '\r').replace(/\u001B(?:\[[\d;?]*[@-~]|O.|.)?/gu, ''));
}
