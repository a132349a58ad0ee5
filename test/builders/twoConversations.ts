import type { TestRuntime } from './openTestRuntime.ts';

/** Two stored conversations, of one turn each: `one` with the answer `One.`, and `two`. Gives their ids. */
export async function twoConversations(
  test: TestRuntime,
): Promise<{ readonly first: string; readonly second: string }> {
  const other = test.runtime.conversations.create();
  await test.say('one', [{ text: 'One.' }]);
  await test.say('two', [{ text: 'Two.' }], { session: other });
  return { first: test.session.id, second: other.id };
}
