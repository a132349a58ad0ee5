// Threat: what a command writes is obeyed by the terminal that shows it: it sets the clipboard, forges links and titles, or
// makes the terminal answer, and the answer counts as typed. Colours and movements pass, everything else is left out.
import { endOfPlain, nextState, type SequenceState } from './terminalSequences.ts';

/** Movements, erasing, colours, the cursor: nothing that reports or that reaches beyond the screen. */
const harmless = /^(?:\u001B\[|\u009B)(?:[\d;:]*[A-HJKLMPSTX`adefm]|\?(?:25|7|12)[hl])$/u;
const maxKept = 100;

/** Output for a terminal of the user, with line ends as a terminal needs them. Sequences may be cut between two pieces. */
export function createTerminalFilter(): (piece: string) => string {
  let state: SequenceState = 'text';
  let sequence = '';
  return (piece) => {
    let shown = '';
    let at = 0;
    while (at < piece.length) {
      if (state === 'text') {
        const end = endOfPlain(piece, at);
        shown += piece.slice(at, end);
        at = end;
        if (at === piece.length) break;
        sequence = '';
      }
      const sign = piece[at] ?? '';
      at += 1;
      const wasText = state === 'text';
      state = nextState(state, sign);
      if (wasText && state === 'text') shown += plainControl(sign);
      else if (sequence.length < maxKept) sequence += sign;
      if (!wasText && state === 'text' && harmless.test(sequence)) shown += sequence;
    }
    return shown;
  };
}

/** Without a terminal device in between nobody turns a line feed into the begin of the next line. */
function plainControl(sign: string): string {
  if (sign === '\n') return '\r\n';
  return sign === '\r' || sign === '\b' ? sign : '';
}
