import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a session that lies on disk is resumed, and session_start says from which',
  async check({ runtime, session, workspace, say, sayTo, marks }) {
    await say('one', done);
    const id = crypto.randomUUID();
    const folder = join(workspace, '../state/sessions');
    const text = await readFile(join(folder, `${session.id}.jsonl`), 'utf8');
    await writeFile(join(folder, `${id}.jsonl`), text.replaceAll(session.id, id));
    const resumed = await runtime.conversations.sessions.open(id);
    await sayTo('two', [done], { session: resumed! });
    expect(marks).toEqual([undefined, id]);
  },
});
