import type { Migration } from './migration.ts';

/** Version 1 knew neither agents, channels nor kinds of sessions: all were chats of the one agent. Its lines are those of version 2. */
export const fromVersion1: Migration = {
  from: 1,
  header: (header) => ({
    ...header,
    version: 2,
    key: `agent:main:${String(header['id'])}`,
    kind: 'chat',
    agentId: 'main',
  }),
};
