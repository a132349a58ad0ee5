import * as vscode from 'vscode';
import { parseJson, isRecord } from '../../base/json.ts';
import { hasHiddenCharacters, inertLine } from '../../base/text.ts';
import type { TextPart } from '../../contracts/message.ts';
import type { Offer } from '../../gateway/chatPage/chatViewMessages.ts';
import type { ServerPrompt } from '../../mcp/createServerOffers.ts';
import { labelArgument } from '../../mcp/serverQuestion.ts';
import { expandTemplate, variablesOf } from '../../mcp/uriTemplate.ts';
import type { Runtime } from '../../runtime/index.ts';

type Mcp = Runtime['mcp'];

/** `/server:prompt {"argument": "value"}` at the beginning of a message. */
const promptPattern = /^\s*\/([A-Za-z0-9-]+):(\S+)(?:\s+([^]*))?$/u;
/** `#server:address` anywhere. */
const resourcePattern = /(?<![^\s(])#([A-Za-z0-9-]+):(\S+)/gu;

/**
 * What a message names of MCP servers: the prompt that it begins with, and resources behind `#`. Arguments that a prompt needs and the
 * message does not give, and variables of a resource's template, are asked for, with what the server proposes.
 * @throws PincerError `mcp_*`
 */
export async function readServerParts(
  mcp: Mcp,
  text: string,
  sessionId: string,
): Promise<readonly TextPart[]> {
  const isServer = (name: string | undefined): name is string =>
    mcp.list().some((server) => server.name === name);
  const parts: TextPart[] = [];
  const [, server, name = '', rest = ''] = promptPattern.exec(text) ?? [];
  if (isServer(server)) {
    const args = await argumentsOf(mcp, server, name, rest);
    parts.push({ type: 'text', text: await mcp.offers.prompt(server, name, args, sessionId) });
  }
  for (const [, of, uri = ''] of text.matchAll(resourcePattern))
    if (isServer(of)) {
      const address = await addressOf(mcp, of, uri);
      if (address !== undefined)
        parts.push({ type: 'text', text: await mcp.offers.resource(of, address, sessionId) });
    }
  return parts;
}

async function argumentsOf(
  mcp: Mcp,
  server: string,
  name: string,
  rest: string,
): Promise<Readonly<Record<string, string>>> {
  const prompt = (await mcp.offers.prompts(server)).find((each) => each.name === name);
  const given = givenArguments(prompt, rest);
  const args = { ...given };
  for (const { name: argument, description, isRequired } of prompt?.arguments ?? []) {
    if (!isRequired || args[argument] !== undefined) continue;
    const about = { title: inertLine(`/${server}:${name}`, 120), name: argument, description };
    const value = await askArgument(about, (typed) =>
      mcp.offers.complete(server, { prompt: name }, { name: argument, value: typed }, args),
    );
    if (value !== undefined) args[argument] = value;
  }
  return args;
}

/** JSON, or the whole text for the first argument. */
function givenArguments(prompt: ServerPrompt | undefined, rest: string): Readonly<Record<string, string>> {
  const said = parseJson(rest.trim());
  if (isRecord(said))
    return Object.fromEntries(Object.entries(said).map(([name, value]) => [name, String(value)]));
  const first = prompt?.arguments[0]?.name;
  return first === undefined || rest.trim() === '' ? {} : { [first]: rest.trim() };
}

/** The address itself, or that of a template with what the person says for its variables; undefined where they said nothing. */
async function addressOf(mcp: Mcp, server: string, uri: string): Promise<string | undefined> {
  const names = variablesOf(uri);
  if (names.length === 0) return uri;
  const templates = await mcp.offers.templates(server);
  const template = templates.find((each) => each.uri === uri);
  if (template === undefined) return uri;
  const known: Record<string, string> = {};
  for (const name of names) {
    const about = { title: `#${server}:${inertLine(uri, 80)}`, name, description: template.description };
    const value = await askArgument(about, (typed) =>
      mcp.offers.complete(server, { template: uri }, { name, value: typed }, known),
    );
    if (value === undefined) return undefined;
    known[name] = value;
  }
  return expandTemplate(uri, known);
}

interface Proposal extends vscode.QuickPickItem {
  readonly value: string;
}

/** A box whose list has what the server proposes for what was typed; undefined where the person closed it. */
async function askArgument(
  { title, name, description }: Readonly<Record<'title' | 'name' | 'description', string>>,
  complete: (typed: string) => Promise<readonly string[]>,
): Promise<string | undefined> {
  const placeholder = labelArgument(name, description);
  const picker = vscode.window.createQuickPick<Proposal>();
  picker.title = title;
  picker.placeholder = placeholder;
  picker.ignoreFocusOut = true;
  const show = (values: readonly string[]): void => {
    picker.items = [...new Set(values)].map((value) => ({
      value,
      label: inertLine(value, 120).replaceAll('$(', '$ ('),
      alwaysShow: true,
    }));
  };
  const propose = async (typed: string): Promise<void> => {
    // At once: Enter takes what was typed, and no proposal for what stood there before.
    const own = typed === '' ? [] : [typed];
    show(own);
    const values = await complete(typed);
    if (picker.value === typed) show([...own, ...values]);
  };
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      picker.onDidChangeValue((value) => void propose(value).catch(reject));
      picker.onDidAccept(() => resolve(picker.selectedItems[0]?.value ?? picker.value));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
      propose('').catch(reject);
    });
  } finally {
    picker.dispose();
  }
}

const maxOffers = 30;

/**
 * What the lists of `#` and `/` have of MCP servers: their names, and behind `#server:` resources and templates, behind `/server:` prompts of
 * one that may run.
 */
export async function serverOffers(mcp: Mcp, mark: '#' | '/', wanted: string): Promise<readonly Offer[]> {
  const [name = '', rest] = wanted.split(/:(.*)/u);
  const servers = mcp.list().filter(({ state }) => ['running', 'ready', 'stopped'].includes(state));
  if (rest === undefined)
    return servers
      .filter((each) => each.name.toLowerCase().startsWith(name))
      .map((each) => ({
        value: `${mark}${each.name}:`,
        description:
          mark === '#'
            ? vscode.l10n.t('Resources of an MCP server')
            : vscode.l10n.t('Prompts of an MCP server'),
        isText: true,
      }));
  const server = servers.find((each) => each.name.toLowerCase() === name);
  if (server === undefined) return [];
  const found = mark === '#' ? await resourcesOf(mcp, server.name) : await promptsOf(mcp, server.name);
  return found
    .filter(
      ({ key, about }) =>
        !/\s/u.test(key) && !hasHiddenCharacters(key) && `${key} ${about}`.toLowerCase().includes(rest),
    )
    .slice(0, maxOffers)
    .map(({ key, about }) => ({ value: `${mark}${server.name}:${key}`, description: about, isText: true }));
}

interface ServerOffer {
  /** What stands behind the server's name. */
  readonly key: string;
  readonly about: string;
}

// What fails here stands in the server's row and log; who types on is not to be interrupted by it.
async function resourcesOf({ offers }: Mcp, server: string): Promise<readonly ServerOffer[]> {
  const [resources, templates] = await Promise.all([
    offers.resources(server).catch(() => []),
    offers.templates(server).catch(() => []),
  ]);
  return [...resources, ...templates].map(({ uri, name, description }) => ({
    key: uri,
    about: [name, description].filter((each) => each !== '').join(': '),
  }));
}

async function promptsOf({ offers }: Mcp, server: string): Promise<readonly ServerOffer[]> {
  const prompts = await offers.prompts(server).catch(() => []);
  return prompts.map(({ name, description }) => ({ key: name, about: description }));
}
