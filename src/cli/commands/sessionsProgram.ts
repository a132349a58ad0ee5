import { Option, type Command } from 'commander';
import { resolve } from 'node:path';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import { type Output, timeText, toJson, toTable } from '../output.ts';
import { addTenantOptions } from '../tenantOptions.ts';
import { type CliOptions, withRuntime } from '../withRuntime.ts';
import type { SessionSummary, ForkPoint } from '../../sessions/sessionStore.ts';
import { truncate, plural } from '../../base/text.ts';
import type { AgentMessage } from '../../contracts/message.ts';
import { isSaid } from '../../sessions/isSaid.ts';
import type { Session } from '../../sessions/session.ts';
import { sessionUnknown } from '../../sessions/sessionErrors.ts';
import { inertFact, inertMessage } from '../inert.ts';
import { PincerError, errorMessage } from '../../base/errors.ts';
import { withInterrupt } from '../withInterrupt.ts';
import { confirmInTerminal, type ConfirmOptions } from './pluginsConfirm.ts';
import type { Conversations } from '../../runtime/conversations.ts';
import { findSessionId } from '../../sessions/sessionIds.ts';

type Action = (options: CliOptions, argument: string) => Promise<ExitCode>;

/** Adds `pincer sessions …`. `act` makes a commander action of a command; its argument is empty where it takes none. */
export function addSessionsCommands(
  program: Command,
  act: (action: Action) => (...given: unknown[]) => Promise<void>,
  output: Output,
): void {
  const sessions = program.command('sessions').description('list, search, export and delete sessions');
  const command = (name: string): Command => addTenantOptions(sessions.command(name));
  command('list')
    .description('list the sessions of this workspace, newest first')
    .action(act((options) => runSessionsList(options, output)));
  command('show <id>')
    .description('show details and the last messages of a session, by its id or a prefix of it')
    .action(act((options, id) => runSessionsShow(options, id, output)));
  command('search <query...>')
    .description('find sessions that contain all words, best first')
    .action((words: readonly string[], ...rest: unknown[]) =>
      act((options) => runSessionsSearch(options, words.join(' '), output))(...rest),
    );

  command('rename <id> <name...>')
    .description('rename a session')
    .action((id: string, words: readonly string[], ...rest: unknown[]) =>
      act((options) => runSessionsRename(options, id, words.join(' '), output))(id, ...rest),
    );
  command('action <id> <action>')
    .description('run an action of a plugin on a session: <plugin>/<action>')
    .option('--payload <json>', 'input of the action')
    .action((id: string, action: string, ...rest: unknown[]) =>
      act((options) => runSessionsAction(options, id, action, output))(id, ...rest),
    );
  command('fork <id>')
    .description('fork a session, optionally at an earlier point; the original is kept')
    .addOption(
      new Option('--before-turn <id>', 'fork before this turn, by its run id').conflicts('throughEntry'),
    )
    .option('--through-entry <id>', 'fork after this transcript entry, by its id')
    .action(act((options, id) => runSessionsFork(options, id, output)));
  command('export <id>')
    .description('print a session as markdown')
    .option('--output <file>', 'write it to a new file')
    .action(act((options, id) => runSessionsExport(options, id, output)));
  command('repair <id>')
    .description('repair a session with a damaged first line; a copy of the damaged file is kept')
    .action(act((options, id) => runSessionsRepair(options, id, output)));
  command('delete <id>')
    .description('delete a session and all its data')
    .option('-y, --yes', 'skip the confirmation')
    .action(act((options, id) => runSessionsDelete(options, id, output)));
}

/** `pincer sessions list`: the conversations of the workspace, newest first. */
async function runSessionsList(options: CliOptions, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    await listSessions(runtime.conversations, options, output);
    return exitCodes.ok;
  });
}

export async function listSessions(
  sessions: Pick<SessionCommands, 'summaries'>,
  { json }: Pick<CliOptions, 'json'>,
  output: Output,
): Promise<void> {
  const all = await sessions.summaries();
  if (json === true) output.out(toJson({ sessions: all }));
  else if (all.length === 0) output.out('There are no sessions in this workspace yet.\n');
  else output.out(toTable([['ID', 'LAST', 'MESSAGES', 'AGENT', 'TITLE'], ...all.map(rowOf)]));
}

function rowOf(summary: SessionSummary): readonly string[] {
  const { id, updatedAt, messageCount, agentId } = summary;
  return [id.slice(0, 8), timeText(updatedAt), String(messageCount), agentId, titleText(summary)];
}

/** The title, and what people should know before they open it. */
function titleText(summary: SessionSummary): string {
  const { id, title, kind, parent, isInterrupted, runsElsewhere, problem, isDamaged } = summary;
  const origin = kind === 'subagent' ? ['subagent'] : parent === undefined ? [] : ['fork'];
  const notes = [
    ...origin,
    ...(isInterrupted ? ['interrupted'] : []),
    ...(runsElsewhere === true ? ['runs in another window or program'] : []),
    ...(problem === undefined ? [] : [problem]),
    ...(isDamaged === true ? [`pincer sessions repair ${id.slice(0, 8)} makes it readable`] : []),
  ];
  return notes.length === 0 ? title : `${title} (${notes.join('; ')})`;
}

const lastMessages = 10;
const maxLine = 200;
const speakers = { user: 'User', assistant: 'Assistant', toolResult: 'Tool' } as const;

/** `pincer sessions show`: what a conversation is, and what was said last. @throws PincerError `session_unknown`, `session_ambiguous` */
async function runSessionsShow(options: CliOptions, id: string, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    const summary = await findSummary(runtime.conversations, id);
    const session = await runtime.conversations.sessions.open(summary.id);
    if (session === undefined) throw sessionUnknown(id);
    showSession(summary, session, options, output);
    return exitCodes.ok;
  });
}

export function showSession(
  summary: SessionSummary,
  session: Session,
  { json }: Pick<CliOptions, 'json'>,
  output: Output,
): void {
  const { file, header } = session;
  const messages = session.messages();
  if (json === true) {
    output.out(toJson({ session: summary, file, settings: session.settings(), messages }));
    return;
  }
  const settings = Object.entries(session.settings()).map(([name, value]) => `${name} ${String(value)}`);
  output.out(
    toTable([
      ['Session', summary.id],
      ['Title', titleText(summary)],
      ['Key', summary.key],
      ['Agent', summary.agentId],
      ['Began', timeText(summary.createdAt)],
      ['Last', timeText(summary.updatedAt)],
      ['Messages', countText(summary.messageCount, messages.filter(isSaid).length)],
      ...(settings.length === 0 ? [] : [['Settings', settings.join(', ')]]),
      ...(header.parent === undefined ? [] : [['Comes from', header.parent.sessionId]]),
      ['File', file],
    ]),
  );
  const last = messages.slice(-lastMessages);
  if (last.length > 0) output.out('\n');
  for (const message of last) output.out(`${lineOf(message)}\n`);
}

/** After a compaction the model reads less than is stored. */
function countText(stored: number, read: number): string {
  return read < stored ? `${stored}; the model reads ${read}` : String(stored);
}

function lineOf(message: AgentMessage): string {
  const text = message.content
    .map((part) => {
      if (part.type === 'text') return part.text;
      if (part.type === 'toolCall') return `[calls ${part.name}]`;
      return part.type === 'image' ? '[image]' : '';
    })
    .join(' ');
  return truncate(inertFact(`${speakers[message.role]}: ${text}`), maxLine);
}

/** `pincer sessions search`: conversations, best first. To find nothing is no failure. @throws PincerError `query_empty` */
async function runSessionsSearch(options: CliOptions, query: string, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    await withInterrupt((signal) => searchInSessions(runtime.conversations, query, options, output, signal));
    return exitCodes.ok;
  });
}

export async function searchInSessions(
  sessions: Pick<SessionCommands, 'search'>,
  query: string,
  { json }: Pick<CliOptions, 'json'>,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  if (query.trim() === '') throw new PincerError('query_empty', 'There is nothing to search for.');
  const hits = await sessions.search(query, signal);
  if (json === true) output.out(toJson({ query, hits }));
  else if (hits.length === 0) output.out(`Nothing was found for "${inertFact(query)}".\n`);
  else
    for (const { summary, snippet, count } of hits) {
      const { id, updatedAt } = summary;
      const title = inertFact(titleText(summary));
      output.out(`${id.slice(0, 8)}  ${timeText(updatedAt)}  ${plural(count, 'place')}  ${title}\n`);
      output.out(`    ${inertFact(snippet)}\n\n`);
    }
}

/** `pincer sessions rename`. @throws PincerError `session_unknown`, `session_ambiguous`, `session_name_invalid` */
async function runSessionsRename(
  options: CliOptions,
  text: string,
  name: string,
  output: Output,
): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    const sessions = runtime.conversations;
    const { id } = await findSummary(sessions, text);
    await sessions.rename(id, name);
    const session = await findSummary(sessions, id);
    if (options.json === true) output.out(toJson({ session }));
    else output.out(`${id} is now called ${inertFact(session.title)}.\n`);
    return exitCodes.ok;
  });
}

interface ActionOptions extends CliOptions {
  /** JSON. */
  readonly payload?: string;
}

/**
 * `pincer sessions action`: what a plugin does with a conversation when a person asks for it.
 * @throws PincerError `session_unknown`, `session_action_unknown`, `session_action_payload`, `session_action_failed`
 */
async function runSessionsAction(
  options: ActionOptions,
  text: string,
  action: string,
  output: Output,
): Promise<ExitCode> {
  const payload = options.payload === undefined ? undefined : parsePayload(options.payload);
  return await withRuntime(options, output, async (runtime) => {
    const { id } = await findSummary(runtime.conversations, text);
    const session = await runtime.conversations.sessions.open(id);
    const at = action.lastIndexOf('/');
    const answer = await runtime.plugins.runSessionAction({
      pluginId: action.slice(0, Math.max(0, at)),
      actionId: action.slice(at + 1),
      ...{ sessionKey: session?.key ?? '', payload },
      ...(session === undefined ? {} : { agentId: session.agentId }),
    });
    const said = answer.reply ?? answer.result;
    if (options.json === true) output.out(toJson(answer));
    else
      output.out(
        said === undefined ? 'Done.\n' : `${inertMessage(typeof said === 'string' ? said : toJson(said))}\n`,
      );
    return exitCodes.ok;
  });
}

function parsePayload(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new PincerError('session_action_payload', `--payload is no JSON: ${errorMessage(cause)}`, {
      hint: `Such as --payload '{"key": "value"}'`,
      cause,
    });
  }
}

interface ForkOptions extends CliOptions {
  readonly beforeTurn?: string;
  readonly throughEntry?: string;
}

/**
 * `pincer sessions fork`: a copy, up to a point.
 * @throws PincerError `session_unknown`, `session_ambiguous`, `session_turn_unknown`
 */
async function runSessionsFork(options: ForkOptions, text: string, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    const sessions = runtime.conversations;
    const { id } = await findSummary(sessions, text);
    const fork = await sessions.fork(id, pointOf(options));
    if (options.json === true) output.out(toJson({ sessionId: fork.id, from: id }));
    else output.out(`${fork.id}\n`);
    return exitCodes.ok;
  });
}

function pointOf({ beforeTurn, throughEntry }: ForkOptions): ForkPoint | undefined {
  if (beforeTurn !== undefined) return { beforeRunId: beforeTurn };
  return throughEntry === undefined ? undefined : { throughEntryId: throughEntry };
}

interface ExportOptions extends CliOptions {
  readonly output?: string;
}

/**
 * `pincer sessions export`: a conversation as markdown, to standard output or a new file.
 * @throws PincerError `session_unknown`, `session_ambiguous`, `output_exists`
 */
async function runSessionsExport(options: ExportOptions, text: string, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    const sessions = runtime.conversations;
    const { id } = await findSummary(sessions, text);
    const markdown = await sessions.exportMarkdown(id);
    const file = options.output === undefined ? undefined : resolve(options.output);
    if (file !== undefined && !(await runtime.host.fs.createFile(file, markdown, 'private'))) {
      throw new PincerError('output_exists', `${file} already exists.`, {
        hint: 'Name a new file after --output, or remove this one.',
      });
    }
    if (options.json === true)
      output.out(toJson({ sessionId: id, ...(file === undefined ? { markdown } : { file }) }));
    else output.out(file === undefined ? markdown : `${file}\n`);
    return exitCodes.ok;
  });
}

/**
 * `pincer sessions repair`: gives a transcript with a damaged first line a new one.
 * @throws PincerError `session_unknown`, `session_ambiguous`, `session_in_use`, `session_in_order`, `session_tenant_lost`
 */
async function runSessionsRepair(options: CliOptions, text: string, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    const sessions = runtime.conversations;
    const { id } = await findSummary(sessions, text);
    const copy = await sessions.repair(id);
    const session = await findSummary(sessions, id);
    if (options.json === true) output.out(toJson({ session, copy }));
    else output.out(`${id} can be opened again. The file as it was: ${copy}\n`);
    return exitCodes.ok;
  });
}

type DeleteOptions = CliOptions & ConfirmOptions;

/**
 * `pincer sessions delete`: asks, then removes a conversation for good.
 * @throws PincerError `session_unknown`, `session_ambiguous`, `session_in_use`, `confirmation_missing`
 */
async function runSessionsDelete(options: DeleteOptions, text: string, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    const sessions = runtime.conversations;
    const { id, title } = await findSummary(sessions, text);
    const isDeleted = await confirmInTerminal(options, `Delete "${title}" (${id}) permanently?`);
    if (isDeleted) await sessions.remove(id);
    if (options.json === true) output.out(toJson({ sessionId: id, deleted: isDeleted }));
    else output.out(isDeleted ? `${inertFact(title)} is deleted.\n` : 'Nothing was deleted.\n');
    return isDeleted ? exitCodes.ok : exitCodes.cancelled;
  });
}

/** What the commands of `pincer sessions` need of the runtime. */
type SessionCommands = Pick<
  Conversations,
  'summaries' | 'search' | 'rename' | 'fork' | 'exportMarkdown' | 'remove'
>;

/** The session whose id is `text` or begins with it. @throws PincerError `session_unknown`, `session_ambiguous` */
export async function findSummary(
  sessions: Pick<SessionCommands, 'summaries'>,
  text: string,
): Promise<SessionSummary> {
  const all = await sessions.summaries();
  const id = findSessionId(
    all.map((each) => each.id),
    text,
  );
  const found = all.find((each) => each.id === id);
  if (found === undefined) throw sessionUnknown(text);
  return found;
}
