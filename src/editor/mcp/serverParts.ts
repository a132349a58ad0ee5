import * as vscode from 'vscode';
import { parseJson, isRecord } from '../../base/json.ts';
import type { TextPart } from '../../contracts/message.ts';
import type { ServerPrompt } from '../../mcp/createServerOffers.ts';
import type { Runtime } from '../../runtime/index.ts';

type Mcp = Runtime['mcp'];

/** `/server:prompt {"argument": "value"}` at the beginning of a message. */
const promptPattern = /^\s*\/([A-Za-z0-9-]+):(\S+)(?:\s+([^]*))?$/u;
/** `#server:address` anywhere. */
const resourcePattern = /(?<![^\s(])#([A-Za-z0-9-]+):(\S+)/gu;

/**
 * What a message names of MCP servers: the prompt that it begins with, and resources behind `#`. Arguments that a prompt needs and the
 * message does not give are asked for, with what the server proposes.
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
    if (isServer(of)) parts.push({ type: 'text', text: await mcp.offers.resource(of, uri, sessionId) });
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
    const value = await askArgument(mcp, server, name, { name: argument, description });
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

/** A box whose list has what the server proposes for what was typed. */
async function askArgument(
  mcp: Mcp,
  server: string,
  prompt: string,
  argument: { readonly name: string; readonly description: string },
): Promise<string | undefined> {
  const picker = vscode.window.createQuickPick();
  picker.title = `/${server}:${prompt}`;
  picker.placeholder =
    argument.description === '' ? argument.name : `${argument.name}: ${argument.description}`;
  picker.ignoreFocusOut = true;
  const propose = async (value: string): Promise<void> => {
    const values = await mcp.offers.complete(server, prompt, { name: argument.name, value });
    if (picker.value !== value) return;
    picker.items = [...new Set([...(value === '' ? [] : [value]), ...values])].map((label) => ({
      label: label.replaceAll('$(', '$ ('),
      alwaysShow: true,
    }));
  };
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      picker.onDidChangeValue((value) => void propose(value).catch(reject));
      picker.onDidAccept(() => resolve(picker.selectedItems[0]?.label ?? picker.value));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
      propose('').catch(reject);
    });
  } finally {
    picker.dispose();
  }
}
