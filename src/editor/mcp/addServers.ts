import * as vscode from 'vscode';
import { PincerError } from '../../base/errors.ts';
import { inertLine } from '../../base/text.ts';
import type { McpServerConfig } from '../../config/sections/mcpSection.ts';
import type { FoundServer } from '../../mcp/readServers.ts';
import type { Runtime, WantedSecret } from '../../runtime/index.ts';
import { inputStep } from '../models/steps.ts';
import { tell } from '../registerCommand.ts';

/** Asks for servers, writes those that the user wants into the config, and gives the names of those that are complete. Nothing starts. */
export async function addServers(runtime: Pick<Runtime, 'mcp' | 'host'>): Promise<readonly string[]> {
  const { mcp } = runtime;
  const answer = await inputStep({
    title: vscode.l10n.t('Add an MCP server'),
    placeholder: 'npx -y @scope/server · https://mcp.example.com/mcp · { "mcpServers": { … } }',
    prompt: vscode.l10n.t('A command line, an address, or the JSON of another program. Nothing starts yet.'),
    canGoBack: false,
    accept: async (text) => {
      const found = mcp.read(withItsLines(text, await vscode.env.clipboard.readText()));
      if (found.servers.length === 0) throw nothingFound(found.problems);
      return found;
    },
  });
  if (answer === undefined || answer === 'back') return [];
  const { servers, problems } = answer.value;
  if (problems.length > 0) tell(problems.join(' '), vscode.window.showWarningMessage);
  const names: string[] = [];
  for (const server of await pickServers(servers)) {
    const name = await freeName(runtime, server.name);
    if (name === undefined) continue;
    const wanted = await mcp.add(name, server.config);
    if (await askForSecrets(runtime, name, wanted)) names.push(name);
    else await mcp.remove(name);
  }
  return names;
}

/** A box drops the ends of lines, and with them where a comment ends: where the same text was pasted, the clipboard still has them. */
function withItsLines(text: string, pasted: string): string {
  const letters = (from: string): string => from.replace(/\s+/gu, '');
  return letters(text) === letters(pasted) ? pasted : text;
}

async function pickServers(servers: readonly FoundServer[]): Promise<readonly FoundServer[]> {
  if (servers.length <= 1) return servers;
  const picked = await vscode.window.showQuickPick(
    servers.map((server) => ({
      label: server.name,
      description: targetOf(server.config).replaceAll('$(', '$ ('),
      picked: true,
      server,
    })),
    { canPickMany: true, ignoreFocusOut: true, placeHolder: vscode.l10n.t('Which of these servers?') },
  );
  return (picked ?? []).map(({ server }) => server);
}

function targetOf(config: McpServerConfig): string {
  return inertLine('url' in config ? config.url : [config.command, ...(config.args ?? [])].join(' '), 200);
}

async function freeName({ mcp }: Pick<Runtime, 'mcp'>, name: string): Promise<string | undefined> {
  const isTaken = (text: string): boolean =>
    mcp.list().some((each) => each.name.toLowerCase() === text.toLowerCase());
  if (!isTaken(name)) return name;
  const answer = await inputStep({
    title: vscode.l10n.t('Add an MCP server'),
    placeholder: `${name}-2`,
    prompt: vscode.l10n.t('There is an MCP server {0} already. What is this one called?', name),
    canGoBack: false,
    accept: (text) => {
      if (!/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,28}[A-Za-z0-9])?$/u.test(text) || isTaken(text)) throw badName();
      return text;
    },
  });
  return answer === undefined || answer === 'back' ? undefined : answer.value;
}

/** What a snippet asks for by `${input:…}` is kept as a secret. False where the user left. */
async function askForSecrets(
  { host }: Pick<Runtime, 'host'>,
  server: string,
  wanted: readonly WantedSecret[],
): Promise<boolean> {
  for (const { variable, secret } of wanted) {
    const answer = await inputStep({
      title: vscode.l10n.t('Add the MCP server {0}', server),
      placeholder: variable,
      prompt: vscode.l10n.t(
        'Value of {0} for {1}. It goes into the secret storage, never into a file.',
        variable,
        server,
      ),
      password: true,
      canGoBack: false,
      accept: (text) => {
        if (text === '') throw new PincerError('mcp_value_empty', vscode.l10n.t('Enter a value.'));
        return text;
      },
    });
    if (answer === undefined || answer === 'back') return false;
    await host.secrets.set(secret, answer.value);
  }
  return true;
}

function nothingFound(problems: readonly string[]): PincerError {
  return new PincerError(
    'mcp_snippet_empty',
    problems.length === 0
      ? vscode.l10n.t('No MCP server was found in what you entered.')
      : problems.join(' '),
  );
}

function badName(): PincerError {
  return new PincerError('mcp_name_invalid', vscode.l10n.t('That name is taken or not valid.'), {
    hint: vscode.l10n.t('Up to 30 letters, digits and hyphens.'),
  });
}
