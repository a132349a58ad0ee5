import * as vscode from 'vscode';
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { Offer } from '../../gateway/chatPage/chatViewMessages.ts';
import type { Runtime } from '../../runtime/index.ts';
import { labelOfUri } from '../chat/readReferences.ts';
import { slashCommands, toolCommand } from '../chat/slashCommands.ts';
import { serverOffers } from '../mcp/serverParts.ts';
import { extensionId } from '../rowCommands.ts';

const maxOffers = 30;

/** What the input offers for `/` and what follows it: commands, and prompts of MCP servers; for `#`: files of the workspace, and resources of MCP servers. */
export async function findOffers(runtime: Runtime, query: string): Promise<readonly Offer[]> {
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

function commandsFor({ plugins }: Runtime, wanted: string): readonly Offer[] {
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
  // Globs tell case apart, and some characters mean something in them: those stand for any.
  const pattern = wanted
    .replace(/[^\p{L}\w./-]/gu, '?')
    .replace(/\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);
  const found = await vscode.workspace.findFiles(`**/*${pattern}*`, undefined, maxOffers);
  return found
    .map((uri) => ({ value: uri.toString(), description: labelOfUri(uri) }))
    .toSorted((a, b) => a.description.length - b.description.length);
}
