import { createInMemoryLog } from '../../builders/inMemoryLog.ts';
import { createNodeFileSystem } from '../../../src/host/node/nodeFileSystem.ts';
import { systemClock } from '../../../src/host/node/systemClock.ts';
import { createSessionStore } from '../../../src/sessions/sessionStore.ts';

/**
 * A process that says one thing after another in a session, some of it long and some at once, until it is killed. It prints the id
 * of the session, then each number that is acknowledged.
 */
const [folder = '', sessionId = '', first = ''] = process.argv.slice(2);

const sessions = createSessionStore({
  ...{ fs: createNodeFileSystem(), clock: systemClock, log: createInMemoryLog(), folder, channel: 'cli' },
});
const session = (await sessions.open(sessionId)) ?? sessions.create([]);
const say = async (number: number): Promise<void> => {
  const text = `${String(number)} ${'ä'.repeat((number % 7) ** 6)}`;
  await session.append({ role: 'user', content: [{ type: 'text', text }], timestamp: number });
  process.stdout.write(`${String(number)}\n`);
};

process.stdout.write(`${session.id}\n`);
for (let number = Number(first); ; number += 3) {
  await Promise.all([say(number), say(number + 1), say(number + 2)]);
}
