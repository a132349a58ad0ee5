// Threat: something that is no person's yes passes for one. So whatever is not a clear yes is a no, and where nobody can be
// asked nothing is done unless the command line itself says yes.
import { createInterface } from 'node:readline';
import { PincerError } from '../../base/errors.ts';
import type { Terminal } from '../askInTerminal.ts';
import { inertFact } from '../inert.ts';

export interface ConfirmOptions {
  readonly yes?: boolean;
}

/** Asks the person at the terminal; Ctrl-C is a no. @throws PincerError `confirmation_missing` where there is nobody */
export async function confirmInTerminal(
  { yes }: ConfirmOptions,
  question: string,
  terminal: Terminal = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  if (yes === true) return true;
  if (!isTty(terminal.input) || !isTty(terminal.output)) {
    throw new PincerError('confirmation_missing', 'Nobody can be asked here.', {
      hint: 'Say yes on the command line: --yes.',
    });
  }
  const reader = createInterface({ ...terminal, prompt: `${inertFact(question)} (y/N) ` });
  try {
    return await new Promise<boolean>((resolve) => {
      reader.once('line', (line) => resolve(/^y(?:es)?$/iu.test(line.trim())));
      reader.once('SIGINT', () => resolve(false));
      reader.once('close', () => resolve(false));
      reader.prompt();
    });
  } finally {
    reader.close();
  }
}

function isTty(stream: object): boolean {
  return 'isTTY' in stream && stream.isTTY === true;
}
