import * as vscode from 'vscode';
import { askModal } from '../askModal.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import { describeStart } from '../../mcp/describeInspection.ts';
import type { Inspection, ServerView } from '../../mcp/mcpServers.ts';
import type { Runtime } from '../../runtime/index.ts';
import { userConfigPath } from '../../config/configPaths.ts';
import type { McpTarget } from '../commandTable.ts';
import { tell } from '../registerCommand.ts';
import { withBox } from '../withBox.ts';
import { addServers } from './addServers.ts';
import { chooseTools } from './chooseTools.ts';
import { findUnshown } from './toolChoices.ts';
import { describeAgreedTools, describeTools } from '../../mcp/toolsText.ts';

type Flow = (runtime: Runtime, target: McpTarget) => Promise<void>;

/** What the commands of MCP servers do, by the end of their ids. */
export type McpFlows = Readonly<
  Record<'add' | 'review' | 'restart' | 'stop' | 'showLog' | 'open' | 'remove', Flow>
>;

interface Draft {
  /** Of the tools as they were: a draft for others is none. */
  readonly hash: string;
  readonly ticked: readonly string[];
  readonly shown: readonly string[];
}

/** Documents about servers; the query says whose, and which tools are shown. */
const scheme = 'pincer-mcp';

/** `subscriptions` gets what lives as long as the window. */
export function createMcpFlows(subscriptions: { dispose(): unknown }[]): McpFlows {
  const documents = createMcpDocuments();
  subscriptions.push(documents);
  /** What was ticked, and which tools were shown one by one, when the list was left; by the server's name. */
  const drafts = new Map<string, Draft>();
  /** Ends the list that is open for a server, by its name. */
  const open = new Map<string, AbortController>();
  const decide = async ({ mcp }: Pick<Runtime, 'mcp'>, seen: Inspection): Promise<void> => {
    const { name, brings } = seen;
    if (brings === undefined) return;
    const { toolsHash: hash } = brings;
    open.get(name)?.abort();
    const list = new AbortController();
    open.set(name, list);
    const { signal } = list;
    const left = drafts.get(name);
    let draft = left?.hash === hash ? left : undefined;
    let again: readonly string[] = [];
    // What a yes is bound to stands behind the list: its rows have no room for schemas and long texts.
    if (!brings.isAgreed && draft === undefined) await documents.show(seen, undefined);
    for (;;) {
      const { ticked, shown = [] } = draft ?? {};
      const answer = await chooseTools(seen, { ...(ticked === undefined ? {} : { ticked }), again, signal });
      if (answer.kind === 'left') {
        drafts.set(name, { hash, ticked: answer.ticked, shown });
        const isReplaced = signal.aborted;
        if (open.get(name) === list) open.delete(name);
        if (!isReplaced && brings.changes === undefined) tell(leftText(name));
        return;
      }
      if (answer.kind === 'look') {
        const looked = answer.tool === undefined ? shown : [...shown, answer.tool];
        drafts.set(name, { hash, ticked: answer.ticked, shown: looked });
        open.delete(name);
        await documents.show(seen, answer.tool);
        return;
      }
      again = findUnshown(seen, answer.names, shown);
      if (again.length === 0) {
        drafts.delete(name);
        open.delete(name);
        await documents.close(name);
        await mcp.agreeToTools(name, hash, answer.names);
        tell(chosenText(name, answer.names.length));
        return;
      }
      for (const tool of again) await documents.show(seen, tool);
      draft = { hash, ticked: answer.names, shown: [...shown, ...again] };
    }
  };
  /** False where the user did not let it start. */
  const review = async (runtime: Pick<Runtime, 'mcp'>, name: string): Promise<boolean> => {
    const { mcp } = runtime;
    // Before its own box takes the place of that list: a list that was replaced is no answer.
    open.get(name)?.abort();
    const look = (): Promise<Inspection> => withBox(lookingText(name), () => mcp.inspect(name));
    const start = await look();
    if (start.mayStart) {
      await decide(runtime, start);
      return true;
    }
    if (!(await confirmStart(start))) return false;
    await mcp.agreeToStart(name, start.launchHash);
    await decide(runtime, await look());
    return true;
  };
  const onServer =
    (run: (runtime: Runtime, name: string) => Promise<void>): Flow =>
    async (runtime, target) => {
      const name = await serverOf(runtime, target);
      if (name !== undefined) await run(runtime, name);
    };
  return {
    async add(runtime) {
      for (const name of await addServers(runtime)) {
        if (await review(runtime, name)) continue;
        await runtime.mcp.remove(name);
        tell(vscode.l10n.t('{0} was not added.', name));
      }
    },
    review: onServer(async (runtime, name) => {
      await review(runtime, name);
    }),
    restart: onServer(async ({ mcp }, name) => {
      await busy(name, () => mcp.restart(name));
    }),
    stop: onServer(({ mcp }, name) => mcp.stop(name)),
    showLog: onServer(async ({ mcp }, name) => {
      const lines = mcp.log(name);
      const text = lines.length === 0 ? vscode.l10n.t('Nothing has been logged yet.') : lines.join('\n');
      await documents.showText(name, vscode.l10n.t('{0} log', name), `${text}\n`);
    }),
    open: onServer(async ({ mcp, workspace }, name) => {
      const origin = mcp.list().find((each) => each.name === name)?.origin;
      const path = origin?.kind === 'file' ? origin.path : userConfigPath(workspace.home);
      await vscode.window.showTextDocument(vscode.Uri.file(path));
    }),
    remove: onServer(remove),
  };
}

/** The server of the row, or the one that the user picks. */
async function serverOf({ mcp }: Pick<Runtime, 'mcp'>, target: McpTarget): Promise<string | undefined> {
  if (target !== undefined) return 'serverName' in target ? target.serverName : shownIn(target);
  const picked = await vscode.window.showQuickPick(
    mcp.list().map(({ name, state, target: what }) => ({
      label: name,
      description: state,
      detail: what.replaceAll('$(', '$ ('),
    })),
    { placeHolder: vscode.l10n.t('Which MCP server?') },
  );
  return picked?.label;
}

/** The server whose tools a document of this scheme shows. */
function shownIn(target: McpTarget): string | undefined {
  if (target === undefined || !('query' in target)) return undefined;
  const said = parseJson(target.query);
  return isRecord(said) && said['hash'] !== undefined && typeof said['name'] === 'string'
    ? said['name']
    : undefined;
}

function chosenText(name: string, tools: number): string {
  if (tools === 0) return vscode.l10n.t('Agents have no tool of {0}.', name);
  return tools === 1
    ? vscode.l10n.t('Agents have 1 tool of {0} now. Each call asks you.', name)
    : vscode.l10n.t('Agents have {0} tools of {1} now. Each call asks you.', tools, name);
}

function leftText(name: string): string {
  return vscode.l10n.t(
    'Agents have no tools of {0} until you choose some. It keeps running and waits for your review.',
    name,
  );
}

function lookingText(name: string): string {
  return vscode.l10n.t('Looking at the MCP server {0}…', name);
}

/** A server that starts may take its time, and may fail. */
async function busy<T>(name: string, work: () => Promise<T>): Promise<T> {
  return await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: lookingText(name),
    },
    work,
  );
}

/** First what it runs; what it brings can be seen only when it does. */
async function confirmStart(seen: Inspection): Promise<boolean> {
  const isFree = seen.launch.kind === 'program' && seen.launch.sandbox === undefined;
  return await askModal(
    seen.launchChanges === undefined
      ? vscode.l10n.t('Start the MCP server {0}?', seen.name)
      : vscode.l10n.t('Start the MCP server {0} as it is now?', seen.name),
    [
      ...describeStart(seen),
      '',
      isFree
        ? vscode.l10n.t(
            'It runs with your rights, outside any sandbox. You see its tools before an agent does.',
          )
        : vscode.l10n.t('You see its tools before an agent does.'),
    ].join('\n'),
    vscode.l10n.t('Start'),
  );
}

async function remove({ mcp }: Pick<Runtime, 'mcp'>, name: string): Promise<void> {
  const server = mcp.list().find((each) => each.name === name);
  if (server === undefined) return;
  const isOwn = server.origin.kind === 'user';
  const button = isOwn ? vscode.l10n.t('Remove') : vscode.l10n.t('Forget');
  const choice = await vscode.window.showWarningMessage(
    isOwn
      ? vscode.l10n.t('Remove the MCP server {0}?', name)
      : vscode.l10n.t('Forget what you agreed to for the MCP server {0}?', name),
    { modal: true, detail: removalDetail(server) },
    button,
  );
  if (choice === button) await mcp.remove(name);
}

function removalDetail({ origin }: ServerView): string {
  return origin.kind === 'user'
    ? vscode.l10n.t('It is stopped and taken out of your config, and agents lose its tools.')
    : vscode.l10n.t(
        'It is stopped, and agents lose its tools until you agree again. It stays in the config that names it.',
      );
}

interface McpDocuments extends Disposable {
  /** The definition of a tool, or of all; beside what was agreed to where that differs. */
  show(seen: Inspection, tool: string | undefined): Promise<void>;
  showText(name: string, title: string, text: string): Promise<void>;
  /** Closes what is shown of a server. */
  close(name: string): Promise<void>;
}

function createMcpDocuments(): McpDocuments {
  const texts = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const lensesChanged = new vscode.EventEmitter<void>();
  /** Documents that somebody has to answer. */
  const open = new Set<string>();
  const put = (title: string, query: Readonly<Record<string, string>>, text: string): vscode.Uri => {
    const uri = vscode.Uri.from({
      scheme,
      path: `/${inertLine(title, 80).replaceAll('/', '_')}`,
      query: JSON.stringify(query),
    });
    texts.set(uri.toString(), text);
    changed.fire(uri);
    return uri;
  };
  const registered = vscode.Disposable.from(
    changed,
    lensesChanged,
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) =>
        texts.get(uri.toString()) ?? vscode.l10n.t('This text is no longer available.'),
    }),
    vscode.languages.registerCodeLensProvider(
      { scheme },
      {
        onDidChangeCodeLenses: lensesChanged.event,
        provideCodeLenses: ({ uri }) => (open.has(uri.toString()) ? answerLenses(uri) : []),
      },
    ),
  );
  return {
    async show(seen, tool) {
      const { name, brings } = seen;
      if (brings === undefined) return;
      const about = tool === undefined ? name : vscode.l10n.t('{0} of {1}', tool, name);
      const query = { name, hash: brings.toolsHash, ...(tool === undefined ? {} : { tool }) };
      const now = put(vscode.l10n.t('{0} tools', about), query, describeTools(seen, tool));
      open.add(now.toString());
      lensesChanged.fire();
      const differs =
        tool === undefined
          ? !brings.isAgreed
          : brings.changes?.changed.some((each) => each.name === tool) === true;
      if (brings.changes === undefined || !differs) {
        await vscode.window.showTextDocument(await withColours(now), { preview: false });
        return;
      }
      const agreed = put(
        vscode.l10n.t('{0} tools as agreed', about),
        { ...query, side: 'agreed' },
        describeAgreedTools(seen, tool),
      );
      for (const side of [agreed, now]) await withColours(side);
      const title = vscode.l10n.t('{0}: as you agreed ↔ now', about);
      await vscode.commands.executeCommand('vscode.diff', agreed, now, title, { preview: false });
    },
    async showText(name, title, text) {
      await vscode.window.showTextDocument(put(title, { name, side: 'log' }, text), { preview: true });
    },
    async close(name) {
      const isOf = (uri: vscode.Uri): boolean => uri.scheme === scheme && shownIn(uri) === name;
      const tabs = vscode.window.tabGroups.all.flatMap((group) =>
        group.tabs.filter(({ input }) => {
          if (input instanceof vscode.TabInputText) return isOf(input.uri);
          return input instanceof vscode.TabInputTextDiff && isOf(input.modified);
        }),
      );
      for (const uri of open) if (isOf(vscode.Uri.parse(uri))) open.delete(uri);
      lensesChanged.fire();
      await vscode.window.tabGroups.close(tabs);
    },
    dispose: () => void registered.dispose(),
  };
}

/** Colours the JSON between the lines of text; unlike that of JSON itself, this language marks nothing as wrong. */
async function withColours(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  const language = 'jsonl';
  // Who switched the editor's own JSON extension off reads it without.
  const isKnown = (await vscode.languages.getLanguages()).includes(language);
  return isKnown ? await vscode.languages.setTextDocumentLanguage(document, language) : document;
}

function answerLenses(uri: vscode.Uri): vscode.CodeLens[] {
  const at = new vscode.Range(0, 0, 0, 0);
  const named = { scheme: uri.scheme, query: uri.query };
  return [
    new vscode.CodeLens(at, {
      command: 'pincer.mcp.review',
      title: vscode.l10n.t('$(checklist) Choose the tools that agents may have'),
      arguments: [named],
    }),
  ];
}
