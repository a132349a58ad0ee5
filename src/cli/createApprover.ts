import { createInterface, type Interface } from 'node:readline';
import { createSerialQueue, type SerialQueue } from '../base/createSerialQueue.ts';
import type { AgentEvent, EventOf } from '../contracts/agentEvent.ts';
import type { ApprovalRequest } from '../contracts/approval.ts';
import { readTyped, type AskPerson, type FieldValue, type QuestionField } from '../mcp/serverQuestion.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { askInTerminal, type Terminal } from './askInTerminal.ts';
import { inertFact } from './inert.ts';
import { toErrorText, type Output } from './output.ts';
import { toProblem } from './toProblem.ts';

interface ApproverParts extends Pick<Output, 'err'> {
  /** The person pressed Ctrl-C at a question. */
  readonly interrupt: () => void;
  /** Shared by all questions of a terminal: two at the same time would read the same line, and a yes to one be a yes to all. */
  readonly inTurn?: SerialQueue;
}

/** A question comes up, or was answered elsewhere. */
type Question = Pick<EventOf<'approval_requested' | 'approval_resolved'>, 'type' | 'request'>;

/** Passes questions on to the person at the terminal; the runtime asks only where there is one. Gets each event of a turn. */
export function createApprover(
  { approvals, conversations, mcp }: Pick<Runtime, 'approvals' | 'conversations' | 'mcp'>,
  terminal: Terminal,
  { interrupt, err, inTurn = createSerialQueue() }: ApproverParts,
): (event: AgentEvent | Question) => void {
  const forServers = createServerQuestions(terminal, inTurn);
  if (forServers !== undefined) mcp.askBy(forServers);
  const open = new Map<string, AbortController>();
  const ask = async (request: ApprovalRequest, takenBack: AbortSignal): Promise<void> => {
    const answer = await askInTerminal(request, terminal, takenBack);
    if (answer === undefined) return;
    if (answer === 'interrupted') interrupt();
    // Words deny what waits of the session, and the agent that asks reads them next. In a job they answer this call alone.
    else if (typeof answer === 'object' && request.isUnattended !== true)
      await conversations.inbox.add(request.sessionId, 'steer', answer.words);
    else {
      const [decision, words] = typeof answer === 'object' ? (['deny', answer.words] as const) : [answer, ''];
      // The terminal takes a yes only once all was shown.
      approvals.noteShownWhole(request.id, 'terminal');
      const resolved = approvals.resolve(request.id, decision, 'terminal', { words });
      if (!resolved.ok) throw resolved.error;
    }
  };
  return (event) => {
    if (event.type === 'approval_resolved') open.get(event.request.id)?.abort();
    if (event.type !== 'approval_requested') return;
    const { request } = event;
    const takeBack = new AbortController();
    open.set(request.id, takeBack);
    inTurn(() => ask(request, takeBack.signal)).catch((error: unknown) => err(toErrorText(toProblem(error))));
  };
}

// Threat: what a server writes draws over the terminal, and an empty line passes for an answer. So its words are inert, each field is asked
// by itself, nothing is sent before a last yes, and an address is only printed.

/** Asks the person what MCP servers want to know; undefined where nobody is at the terminal. */
function createServerQuestions(terminal: Terminal, inTurn: SerialQueue): AskPerson | undefined {
  const isTty = (stream: object): boolean => 'isTTY' in stream && stream.isTTY === true;
  if (!isTty(terminal.input) || !isTty(terminal.output)) return undefined;
  return (question, signal) => inTurn(() => askForServer(terminal, question, signal));
}

async function askForServer(
  terminal: Terminal,
  question: Parameters<AskPerson>[0],
  signal: AbortSignal,
): ReturnType<AskPerson> {
  if (signal.aborted) return { action: 'cancel' };
  const { output } = terminal;
  output.write(`\nThe MCP server ${question.server} asks: ${inertFact(question.message)}\n`);
  const reader = createInterface(terminal);
  const takeBack = (): void => reader.close();
  signal.addEventListener('abort', takeBack, { once: true });
  try {
    if (question.kind === 'address') {
      output.write(`It wants you to open ${inertFact(question.url)}\n`);
      const yes = await readLine(reader, 'Have you opened it in a browser yourself? (y/N) ');
      return { action: isYes(yes) ? 'accept' : 'decline' };
    }
    const content: Record<string, FieldValue> = {};
    for (const field of question.fields) {
      const value = await askField(reader, output, field);
      if (value === 'closed') return { action: 'cancel' };
      if (value.value !== undefined) content[field.name] = value.value;
    }
    const yes = await readLine(reader, `Send this to ${question.server}? (y/N) `);
    return isYes(yes) ? { action: 'accept', content } : { action: 'decline' };
  } finally {
    signal.removeEventListener('abort', takeBack);
    reader.close();
  }
}

async function askField(
  reader: Interface,
  output: NodeJS.WritableStream,
  field: QuestionField,
): Promise<{ readonly value: FieldValue | undefined } | 'closed'> {
  const { label, choices, preset, isRequired } = field;
  const hints = [
    ...(choices.length === 0 ? [] : [choices.map(({ value }) => value).join(' | ')]),
    ...(preset === undefined ? [] : [`Enter = ${preset}`]),
    ...(isRequired ? [] : ['may be empty']),
  ];
  for (;;) {
    const typed = await readLine(
      reader,
      inertFact(`${label}${hints.length === 0 ? '' : ` (${hints.join('; ')})`}: `),
    );
    if (typed === undefined) return 'closed';
    const read = readTyped(field, typed.trim() === '' ? (preset ?? '') : typed.trim());
    if (typeof read !== 'string') return read;
    output.write(`${read}\n`);
  }
}

/** Undefined where the input ends or Ctrl-C is pressed. */
async function readLine(reader: Interface, prompt: string): Promise<string | undefined> {
  return await new Promise((resolve) => {
    reader.once('line', resolve);
    reader.once('SIGINT', () => reader.close());
    reader.once('close', () => resolve(undefined));
    reader.setPrompt(`${prompt.trimEnd()} `);
    reader.prompt();
  });
}

function isYes(typed: string | undefined): boolean {
  return typed !== undefined && /^y(?:es)?$/iu.test(typed.trim());
}
