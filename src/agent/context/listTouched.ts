import { inertLine } from '../../base/text.ts';
import type { AgentMessage, ToolCallPart } from '../../contracts/message.ts';
import type { Touched } from '../../contracts/session.ts';

const maxPathLength = 300;
const maxCommandLength = 160;
/** Older ones are dropped. */
const maxFiles = 200;
const maxCommands = 20;

/**
 * The files that were written, edited or patched, and the commands that ran, after those of `before`. No model is asked: what
 * a summary forgets is still listed. Calls that failed have touched nothing. Pure.
 */
export function listTouched(messages: readonly AgentMessage[], before: Touched = noneTouched): Touched {
  const files = new Set(before.files);
  const commands = new Set(before.commands);
  let open = new Map<string, ToolCallPart>();
  for (const message of messages) {
    if (message.role === 'assistant') open = callsOf(message);
    if (message.role !== 'toolResult' || message.isError) continue;
    const call = open.get(message.toolCallId);
    if (call === undefined) continue;
    for (const path of pathsOf(call)) renew(files, inertLine(path, maxPathLength));
    const command = call.name === 'exec' ? call.arguments['command'] : undefined;
    if (typeof command === 'string') renew(commands, inertLine(command, maxCommandLength));
  }
  return { files: [...files].slice(-maxFiles), commands: [...commands].slice(-maxCommands) };
}

const noneTouched: Touched = { files: [], commands: [] };

function callsOf(message: Extract<AgentMessage, { role: 'assistant' }>): Map<string, ToolCallPart> {
  return new Map(
    message.content.flatMap((part) => (part.type === 'toolCall' ? [[part.id, part] as const] : [])),
  );
}

function pathsOf({ name, arguments: params }: ToolCallPart): readonly string[] {
  if (name === 'write' || name === 'edit') return typeof params['path'] === 'string' ? [params['path']] : [];
  if (name !== 'apply_patch' || typeof params['input'] !== 'string') return [];
  return [...params['input'].matchAll(patchHeader)].map(([, path = '']) => path.trim());
}

const patchHeader = /^\*\*\* (?:Add File|Delete File|Update File|Move to): (.+)$/gmu;

/** What is touched again becomes the newest. */
function renew(all: Set<string>, one: string): void {
  all.delete(one);
  all.add(one);
}
