// Threat: something that is no person's yes passes for one, or a yes to what was not seen. So whatever is not a clear yes that
// was offered is a no (another answer, an empty line, the end of the input), and a yes counts only once all was shown.
import { createInterface, type Interface } from 'node:readline';
import { fullCall, isShownWhole } from '../approvals/fullCall.ts';
import type { ApprovalDecision, ApprovalRequest } from '../contracts/approval.ts';
import { inertFact, inertMessage } from './inert.ts';

export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** A decision; a no with words, which the agent reads next; `interrupted`: Ctrl-C was pressed. */
type TerminalAnswer = ApprovalDecision | { readonly words: string } | 'interrupted';

const keys: Readonly<Record<string, ApprovalDecision>> = { y: 'allow-once', a: 'allow-always' };
const noes: readonly string[] = ['n', 'no', 'deny'];

/** Rows of a call that are shown at a time. */
const pageRows = 20;

/** What is asked, as the terminal shows it. */
interface TerminalQuestion extends Pick<
  ApprovalRequest,
  'title' | 'description' | 'askers' | 'decisions' | 'grantLabel'
> {
  /** All of the call as text; empty where the question says it all. */
  readonly call: string;
}

/** Asks the person at the terminal, after a clear no also for words. Undefined: `signal` took the question back. */
export async function askInTerminal(
  request: ApprovalRequest,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<TerminalAnswer | undefined> {
  const call = isShownWhole(request) ? '' : fullCall(request);
  return await askQuestion({ ...request, call }, terminal, signal);
}

/** The same for a question that came from elsewhere. */
export async function askQuestion(
  request: TerminalQuestion,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<TerminalAnswer | undefined> {
  if (signal.aborted) return undefined;
  const { output } = terminal;
  const left = request.call === '' ? [] : rowsOf(request.call, output);
  const isLong = left.length > 0;
  const question = `${inertFact(request.title)}: ${inertMessage(request.description)}`;
  output.write(`\n${question}${askersOf(request)}\n`);
  const showPage = (): void => {
    for (const row of left.splice(0, pageRows)) output.write(`  ${row}\n`);
  };
  showPage();
  const reader = createInterface(terminal);
  const takeBack = (): void => reader.close();
  signal.addEventListener('abort', takeBack, { once: true });
  try {
    return await new Promise((resolve) => {
      let isDenied = false;
      reader.on('line', (line) => {
        const typed = line.trim().toLowerCase();
        if (isDenied) resolve(typed === '' ? 'deny' : { words: line.trim() });
        else if (noes.includes(typed)) {
          isDenied = true;
          reader.setPrompt('Why not, or what to do instead? (Enter = say nothing) ');
          reader.prompt();
        } else if ((typed === 'm' && isLong) || (typed === 'y' && left.length > 0)) {
          if (typed === 'm') showPage();
          else output.write('Not all of it was shown yet.\n');
          promptFor(reader, request, left.length);
        } else resolve(left.length === 0 ? readAnswer(typed, request) : 'deny');
      });
      reader.once('SIGINT', () => resolve('interrupted'));
      reader.once('close', () => resolve(signal.aborted ? undefined : 'deny'));
      promptFor(reader, request, left.length);
    });
  } finally {
    signal.removeEventListener('abort', takeBack);
    reader.close();
  }
}

function promptFor(reader: Interface, request: TerminalQuestion, rowsLeft: number): void {
  const offersAlways = request.decisions.includes('allow-always');
  const always = offersAlways ? `, a = always allow ${inertFact(request.grantLabel)}` : '';
  reader.setPrompt(
    rowsLeft > 0
      ? `${String(rowsLeft)} more rows. Show them? (m = more, n = deny) `
      : `Allow? (y = once${always}, n = no) `,
  );
  reader.prompt();
}

/** The whole call in rows that fit the terminal; none of its characters is hidden or cut. */
function rowsOf(call: string, output: NodeJS.WritableStream): string[] {
  const columns = 'columns' in output && typeof output.columns === 'number' ? output.columns : 80;
  const width = Math.max(20, columns - 2);
  return call
    .trimEnd()
    .split('\n')
    .flatMap((line) => splitEvery(line, width));
}

function splitEvery(line: string, width: number): readonly string[] {
  const characters = Array.from(line);
  const rows = Math.max(1, Math.ceil(characters.length / width));
  return Array.from({ length: rows }, (_, at) => characters.slice(at * width, (at + 1) * width).join(''));
}

function readAnswer(typed: string, { decisions }: TerminalQuestion): ApprovalDecision {
  const decision = keys[typed];
  return decision !== undefined && decisions.includes(decision) ? decision : 'deny';
}

function askersOf({ askers }: TerminalQuestion): string {
  const plugins = askers.filter((asker) => asker !== 'host');
  return plugins.length === 0 ? '' : ` (asked by plugin ${inertFact(plugins.join(', '))})`;
}
