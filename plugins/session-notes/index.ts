import { isAbsolute, relative, sep } from 'node:path';
import type { OpenClawPluginApi } from 'openclaw/plugin-sdk';
import { appendNote } from './appendNote.ts';
import { dayOf, formatNote } from './formatNote.ts';
import { addCall, addFile, addRequest, createDraft, type SessionDraft } from './sessionDraft.ts';

interface NotesConfig {
  readonly folder: string;
  readonly maxLines: number;
  readonly writeTools: readonly string[];
}

/** After all others: a note holds only what may be stored, as it is stored. */
const last = { priority: -Number.MAX_VALUE };

export default {
  id: 'session-notes',
  register(api: OpenClawPluginApi): void {
    // The manifest's configSchema guarantees the shape and fills in the defaults.
    const config = api.pluginConfig as unknown as NotesConfig;
    const drafts = new Map<string, SessionDraft>();
    // One after the other: sessions that end together append to the same file.
    let writing = Promise.resolve();

    const draftOf = (sessionKey: string): SessionDraft => {
      const draft = drafts.get(sessionKey) ?? createDraft();
      drafts.set(sessionKey, draft);
      return draft;
    };

    api.on(
      'before_message_write',
      ({ message, sessionKey }) => {
        if (message.role === 'user' && sessionKey !== undefined)
          addRequest(draftOf(sessionKey), message.content);
        return undefined;
      },
      last,
    );
    api.on('model_call_started', (_, { sessionKey, workspaceDir }) => {
      if (sessionKey !== undefined && workspaceDir !== undefined)
        draftOf(sessionKey).workspaceDir = workspaceDir;
    });
    api.on('model_call_ended', ({ outcome, errorCategory }, { sessionKey }) => {
      if (sessionKey === undefined) return;
      draftOf(sessionKey).outcome =
        outcome === 'completed' ? 'completed' : errorCategory === 'cancelled' ? 'cancelled' : 'failed';
    });
    api.on('after_tool_call', ({ toolName, params, error }, { sessionKey }) => {
      if (sessionKey === undefined) return;
      const draft = draftOf(sessionKey);
      addCall(draft, toolName, error === undefined);
      if (error === 'cancelled') draft.outcome = 'cancelled';
      const { path } = params;
      if (error === undefined && typeof path === 'string' && config.writeTools.includes(toolName))
        addFile(draft, path);
    });

    api.on('session_end', async ({ sessionId, sessionKey, durationMs }) => {
      const draft = drafts.get(sessionKey ?? sessionId);
      drafts.delete(sessionKey ?? sessionId);
      // Without a model call there is nothing to tell: the session was blocked, or only opened.
      if (draft === undefined || draft.workspaceDir === '') return;
      const { workspaceDir } = draft;
      const endedAt = new Date();
      const files = new Set([...draft.files].map((file) => labelOf(workspaceDir, file)));
      const { maxLines, folder } = config;
      const note = formatNote({ ...draft, files }, { sessionId, endedAt, durationMs, maxLines });
      const day = dayOf(endedAt);
      writing = writing
        .then(() => appendNote({ workspaceDir, folder, fileName: `${day}.md` }, day, note))
        .catch((error: unknown) =>
          api.logger.warn(`the note of a session could not be written: ${String(error)}`),
        );
      await writing;
    });
  },
};

/** Relative to the workspace where it is inside, with forward slashes. */
function labelOf(workspaceDir: string, path: string): string {
  const inside = isAbsolute(path) ? relative(workspaceDir, path) : path;
  return (inside.startsWith('..') || isAbsolute(inside) ? path : inside).split(sep).join('/');
}
