// Threat: something that is no person's yes passes for one. So whatever is not a clear yes that was offered is a no: another
// answer, an empty line, the end of the input.
import { createInterface } from 'node:readline';
import type { ApprovalDecision, ApprovalRequest } from '../contracts/approval.ts';
import { inertFact, inertMessage } from './inert.ts';

export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

const keys: Readonly<Record<string, ApprovalDecision>> = { y: 'allow-once', a: 'allow-always', n: 'deny' };

/** Asks the person at the terminal. `interrupted`: they pressed Ctrl-C. Undefined: `signal` took the question back. */
export async function askInTerminal(
  request: ApprovalRequest,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ApprovalDecision | 'interrupted' | undefined> {
  const offersAlways = request.decisions.includes('allow-always');
  const always = offersAlways ? `, a = always allow ${inertFact(request.grantLabel)}` : '';
  const question = `${inertFact(request.title)}: ${inertMessage(request.description)}`;
  terminal.output.write(`\n${question}${askersOf(request)}\n`);
  const reader = createInterface({ ...terminal, prompt: `Allow? (y = once${always}, n = no) ` });
  const takeBack = (): void => reader.close();
  signal.addEventListener('abort', takeBack, { once: true });
  try {
    return await new Promise((resolve) => {
      reader.once('line', (line) => resolve(readAnswer(line, request)));
      reader.once('SIGINT', () => resolve('interrupted'));
      reader.once('close', () => resolve(signal.aborted ? undefined : 'deny'));
      reader.prompt();
    });
  } finally {
    signal.removeEventListener('abort', takeBack);
    reader.close();
  }
}

function readAnswer(line: string, { decisions }: ApprovalRequest): ApprovalDecision {
  const decision = keys[line.trim().toLowerCase()];
  return decision !== undefined && decisions.includes(decision) ? decision : 'deny';
}

function askersOf({ askers }: ApprovalRequest): string {
  const plugins = askers.filter((asker) => asker !== 'host');
  return plugins.length === 0 ? '' : ` (asked by plugin ${inertFact(plugins.join(', '))})`;
}
