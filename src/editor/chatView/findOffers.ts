import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { Runtime } from '../../runtime/index.ts';
import { slashCommands, toolCommand } from '../chat/slashCommands.ts';
import type { Offer } from './chatViewMessages.ts';
import { labelOf } from './viewTurns.ts';

const mostOffers = 30;

/** What the input offers for `/` and what follows it: commands; for `#`: files of the workspace. */
export async function findOffers(runtime: Runtime, query: string): Promise<readonly Offer[]> {
  const wanted = query.slice(1).toLowerCase();
  if (query.startsWith('/')) return commandsFor(runtime, wanted);
  return query.startsWith('#') ? await filesFor(wanted) : [];
}

function commandsFor({ plugins }: Runtime, wanted: string): readonly Offer[] {
  const own = Object.entries(slashCommands)
    .filter(([, { isTyped }]) => isTyped !== true)
    .map(([name]) => ({ name, description: '' }));
  const tool = { name: toolCommand, description: vscode.l10n.t('Calls a tool') };
  return [...own, tool, ...plugins.commands()]
    .filter(({ name }) => name.toLowerCase().startsWith(wanted))
    .slice(0, mostOffers)
    .map(({ name, description }) => ({ value: `/${name}`, description: inertLine(description, 120) }));
}

async function filesFor(wanted: string): Promise<readonly Offer[]> {
  // Globs tell case apart, and some characters mean something in them: those stand for any.
  const pattern = wanted
    .replace(/[^\p{L}\w./-]/gu, '?')
    .replace(/\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);
  const found = await vscode.workspace.findFiles(`**/*${pattern}*`, undefined, mostOffers);
  return found
    .map((uri) => ({ value: uri.toString(), description: labelOf(uri) }))
    .toSorted((a, b) => a.description.length - b.description.length);
}
