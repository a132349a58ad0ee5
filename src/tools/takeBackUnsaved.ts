import { PincerError } from '../base/errors.ts';
import type { TakeBackUnsaved } from '../checkpoints/checkpoints.ts';
import type { ToolCall } from '../contracts/tool.ts';
import { encodeChange } from './createRecordedFiles.ts';
import { decodeText } from './textEncoding.ts';
import type { WorkspaceFiles } from './workspaceFiles.ts';

/** No call asks for it: it ends one of a process that is gone. */
const recovery: ToolCall = {
  part: { type: 'toolCall', id: 'recovery', name: 'recovery', arguments: {} },
  turn: { sessionKey: '', sessionId: '', runId: '', signal: new AbortController().signal },
};

/** Through the files of the window, which know what its editors hold. */
export function createTakeBackUnsaved(files: Pick<WorkspaceFiles, 'readText' | 'apply'>): TakeBackUnsaved {
  return async ({ root, path }, isAgents, content) => {
    const text = await readText(files, path, root);
    if (text === undefined) return false;
    const { after } = encodeChange({ path, before: text, after: text }, content);
    if (after === null || !isAgents(after)) return false;
    await files.apply([{ root, path, before: text, after: decodeText(content, path) }], recovery);
    return true;
  };
}

/** What is no text is held by no editor. */
async function readText(
  files: Pick<WorkspaceFiles, 'readText'>,
  path: string,
  root: string,
): Promise<string | undefined> {
  try {
    return await files.readText(path, root);
  } catch (error) {
    if (error instanceof PincerError && error.code.startsWith('file_')) return undefined;
    throw error;
  }
}
