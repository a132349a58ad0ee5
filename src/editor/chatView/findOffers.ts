import * as vscode from 'vscode';
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { Offer } from '../../gateway/chatPage/chatViewMessages.ts';
import type { Runtime } from '../../runtime/index.ts';
import { labelOfUri } from '../chat/readReferences.ts';
import { slashCommands, toolCommand } from '../chat/slashCommands.ts';
import { serverOffers } from '../mcp/serverParts.ts';
import { excludedFiles } from '../memory/folderGlobs.ts';
import { extensionId } from '../rowCommands.ts';
import { compareOffered, globOfFiles } from './offeredFiles.ts';

const maxOffers = 30;
/** Among how many files the best are looked for: VS Code gives them in any order. */
const maxFound = 1_000;

/** What the input offers for `/` and what follows it: commands, and prompts of MCP servers; for `#`: files of the workspace, and resources of MCP servers. */
export async function findOffers(
  runtime: Pick<Runtime, 'mcp' | 'plugins'>,
  query: string,
): Promise<readonly Offer[]> {
  const wanted = query.slice(1).toLowerCase();
  if (query.startsWith('/')) {
    const prompts = await serverOffers(runtime.mcp, '/', wanted);
    return wanted.includes(':') && prompts.length > 0
      ? prompts
      : [...commandsFor(runtime, wanted), ...prompts];
  }
  if (!query.startsWith('#')) return [];
  const ofServers = await serverOffers(runtime.mcp, '#', wanted);
  return wanted.includes(':') && ofServers.length > 0
    ? ofServers
    : [...ofServers, ...(await filesFor(wanted))];
}

function commandsFor({ plugins }: Pick<Runtime, 'plugins'>, wanted: string): readonly Offer[] {
  const own = Object.entries(slashCommands)
    .filter(([, { isTyped }]) => isTyped !== true)
    .map(([name]) => name);
  const texts = commandTexts();
  const offered = [...own, toolCommand].map((name) => ({
    name,
    description: texts.get(name) ?? '',
    isOwn: true,
  }));
  const others = plugins.commands().map(({ name, description }) => ({ name, description, isOwn: false }));
  return [...offered, ...others]
    .filter(({ name }) => name.toLowerCase().startsWith(wanted))
    .slice(0, maxOffers)
    .map(({ name, description, isOwn }) => ({
      value: `/${name}`,
      description: inertLine(description, 120),
      isOwn,
    }));
}

/** What the chat panel says of each command, in the user's language. */
function commandTexts(): ReadonlyMap<string, string> {
  const manifest: unknown = vscode.extensions.getExtension(extensionId)?.packageJSON;
  const contributes = isRecord(manifest) && isRecord(manifest['contributes']) ? manifest['contributes'] : {};
  const participants = contributes['chatParticipants'] as readonly Participant[] | undefined;
  return new Map(
    participants?.flatMap(({ commands = [] }) =>
      commands.map(({ name, description }) => [name, description] as const),
    ),
  );
}

interface Participant {
  readonly commands?: readonly { readonly name: string; readonly description: string }[];
}

async function filesFor(wanted: string): Promise<readonly Offer[]> {
  const searchExclude: unknown = vscode.workspace.getConfiguration('search').get('exclude');
  // VS Code itself leaves out `files.exclude` alone; no group stands within another in its globs.
  const excluded = excludedFiles(searchExclude).filter((glob) => !/[{}]/u.test(glob));
  const found = await vscode.workspace.findFiles(
    globOfFiles(wanted),
    excluded.length === 0 ? undefined : `{${excluded.join(',')}}`,
    maxFound,
  );
  return found
    .map((uri) => ({ value: uri.toString(), description: labelOfUri(uri) }))
    .toSorted((a, b) => compareOffered(wanted, a.description, b.description))
    .slice(0, maxOffers);
}
