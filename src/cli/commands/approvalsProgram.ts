// Threat: a yes to what was not seen. The gateway takes one only of the client that it sent the whole call to, and here all of that call stands in
// the terminal before a yes counts. What is too long to be sent is denied here or allowed in VS Code.
import type { Command } from 'commander';
import { PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { ApprovalDecision } from '../../contracts/approval.ts';
import { askQuestion, type Terminal } from '../askInTerminal.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { connectToGateway, findGateway, gatewayNotRunning, type GatewayClient } from '../gatewayClient.ts';
import { inertFact, inertMessage, inertText } from '../inert.ts';
import { timeText, toErrorText, toJson, toTable, type Output } from '../output.ts';
import { toProblem } from '../toProblem.ts';
import type { CliOptions } from '../withRuntime.ts';

type Act = (
  action: (options: CliOptions, argument: string) => Promise<ExitCode>,
) => (...given: unknown[]) => Promise<void>;

/** A question that waits in the process which serves the workspace. */
interface WaitingApproval {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly askers: readonly string[];
  /** All of the call, where `isWhole`. */
  readonly call: string;
  readonly isWhole: boolean;
  readonly createdAt: number;
}

const scopes = ['operator.read', 'operator.approvals'];

/** Adds `pincer approvals …`: what waits for a person under `pincer gateway run`, or in a window that serves the workspace. */
export function addApprovalsCommands(program: Command, act: Act, output: Output): void {
  const approvals = program
    .command('approvals')
    .description('list and answer the approvals that wait at the running gateway of the workspace');
  approvals
    .command('list')
    .description('list waiting approvals of jobs, channels and clients')
    .action(
      act(async (options) => {
        using client = await connectToGateway(await findGateway(options), scopes);
        const waiting = await waitingApprovals(client);
        const rows = waiting.map(({ id, createdAt, title }) => [id.slice(0, 8), timeText(createdAt), title]);
        const table = toTable([['ID', 'SINCE', 'QUESTION'], ...rows]);
        const text = waiting.length === 0 ? nothingWaits : table;
        output.out(options.json === true ? toJson({ approvals: waiting }) : text);
        return exitCodes.ok;
      }),
    );
  approvals
    .command('review [id]')
    .description(
      'show each waiting approval in full and ask whether to allow it once; with an id, only that one',
    )
    .action(
      act(async (options, id) => {
        const { stdin, stderr } = process;
        if (!(stdin.isTTY && stderr.isTTY))
          throw new PincerError('usage', 'Approvals are reviewed in a terminal: there is none here.', {
            hint: 'See what waits with pincer approvals list.',
          });
        using client = await connectToGateway(await findGateway(options), scopes);
        return await reviewApprovals(client, { input: stdin, output: stderr }, output, id);
      }),
    );
}

const nothingWaits = 'Nothing waits for an answer.\n';

/**
 * Asks about what waits, one after the other.
 * @throws PincerError `approval_unknown`, `approval_ambiguous`, `gateway_not_running`
 */
export async function reviewApprovals(
  client: GatewayClient,
  terminal: Terminal,
  { out, err }: Output,
  id: string,
): Promise<ExitCode> {
  const answered = new Map<string, AbortController>();
  // Somebody else may be faster.
  client.onEvent((event, payload) => {
    if (event === 'approvals.resolved') answered.get(String(payload['id']))?.abort();
  });
  const waiting = pick(await waitingApprovals(client), id);
  if (waiting.length === 0) out(nothingWaits);
  for (const each of waiting) answered.set(each.id, new AbortController());
  for (const each of waiting) {
    const taken = answered.get(each.id)?.signal ?? client.ended;
    const decisions: readonly ApprovalDecision[] = each.isWhole ? ['allow-once', 'deny'] : ['deny'];
    if (!each.isWhole)
      err(`${inertFact(each.title)} is too long to be shown here: it can be allowed in VS Code.\n`);
    const question = { ...each, decisions, grantLabel: '' };
    const answer = await askQuestion(question, terminal, AbortSignal.any([taken, client.ended]));
    if (answer === 'interrupted') return exitCodes.cancelled;
    if (client.ended.aborted) throw gatewayNotRunning();
    if (answer === undefined) {
      out(`${inertFact(each.title)} was answered elsewhere.\n`);
      continue;
    }
    const decision = answer === 'allow-once' && each.isWhole ? answer : 'deny';
    try {
      const said = typeof answer === 'object' ? answer : {};
      await client.ask('approvals.resolve', { id: each.id, decision, ...said });
      const done = 'words' in said ? 'denied, with your reason' : 'denied';
      out(`${inertFact(each.title)}: ${decision === 'deny' ? done : 'allowed once'}.\n`);
    } catch (error) {
      err(toErrorText(toProblem(error)));
    }
  }
  return exitCodes.ok;
}

async function waitingApprovals(client: GatewayClient): Promise<readonly WaitingApproval[]> {
  const answer = await client.ask('approvals.list');
  const list: unknown = isRecord(answer) ? answer['approvals'] : undefined;
  return Array.isArray(list) ? list.filter(isRecord).map(readWaiting) : [];
}

/** A gateway of another release may say less; what is not said to be whole counts as cut. */
function readWaiting(given: Readonly<Record<string, unknown>>): WaitingApproval {
  const text = (key: string): string => (typeof given[key] === 'string' ? given[key] : '');
  const { askers, isWhole, createdAt } = given;
  return {
    id: text('id'),
    title: inertFact(text('title')),
    description: inertMessage(text('description')),
    askers: Array.isArray(askers) ? askers.map(String) : [],
    call: inertText(text('call')),
    isWhole: isWhole === true && text('call') !== '',
    createdAt: typeof createdAt === 'number' ? createdAt : 0,
  };
}

/** All, or the one whose id begins so. */
function pick(waiting: readonly WaitingApproval[], id: string): readonly WaitingApproval[] {
  if (id === '') return waiting;
  const found = waiting.filter((each) => each.id.startsWith(id));
  if (found.length === 1) return found;
  const name = inertLine(id, 60);
  throw found.length === 0
    ? new PincerError('approval_unknown', `No waiting approval has the id ${name}.`, {
        hint: 'pincer approvals list shows what waits.',
      })
    : new PincerError('approval_ambiguous', `Several questions begin with ${name}.`, {
        hint: 'Write more of the id.',
      });
}
