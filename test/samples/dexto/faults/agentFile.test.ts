import { describe, expect, it } from 'vitest';
import { agentFileOf, openFaultWorld, type FaultyPlugin } from './openFaultWorld.ts';

const adds: FaultyPlugin = {
  name: 'adds',
  priority: 10,
  body: "initialize() { mark('adds begins'); }\nbeforeLLMRequest = ({ text }) => ({ ok: true, modify: { text: `${text} added` } });",
};

describe('an agent file that can not be used stops the agent and nothing else:', () => {
  it('one priority for a built-in and a custom plugin', async () => {
    await using world = await openFaultWorld([adds], { more: '  contentPolicy: { priority: 10 }\n' });
    const problem = {
      code: 'agent_stopped',
      message: expect.stringContaining(
        'contentPolicy (line 2) and adds (line 4) both have priority 10.',
      ) as unknown,
    };
    await expect(world.say('Hello')).rejects.toMatchObject(problem);
    expect(world.marks).toEqual([]);
    expect(world.runtime.workspace.problem()).toMatchObject({ code: 'agent_file_priority_twice', line: 4 });
    await world.save('.pincer/agent.yml', agentFileOf([adds], '  contentPolicy: { priority: 11 }\n'));
    await world.agree();
    expect((await world.say('Hello')).sent).toContain('Hello added');
  });

  it('two custom plugins of one name', async () => {
    await using world = await openFaultWorld([adds, { ...adds, priority: 11 }]);
    await expect(world.say('Hello')).rejects.toThrow(/Two plugins are called "adds" \(lines 3 and 4\)/u);
    expect(world.marks).toEqual([]);
  });

  it.each([
    [
      'a key that is there twice',
      'plugins:\n  contentPolicy: {}\n  contentPolicy: {}\n',
      'agent_file_duplicate_key',
      3,
    ],
    [
      'plugins that are there twice',
      'plugins: {}\nllm:\n  provider: p\n  model: m\nplugins: {}\n',
      'agent_file_duplicate_key',
      5,
    ],
    ['a bomb of aliases', bomb(), 'agent_file_too_complex', undefined],
    [
      'a bomb of depth',
      `plugins: ${'['.repeat(5_000)}${']'.repeat(5_000)}\n`,
      'agent_file_too_complex',
      undefined,
    ],
    ['an alias of itself', 'plugins: &all\n  contentPolicy: *all\n', 'agent_file_too_complex', undefined],
    ['a key called __proto__', 'plugins:\n  __proto__: { contentPolicy: {} }\n', 'agent_file_syntax', 2],
    ['too much text', `plugins: {}\n# ${'x'.repeat(3_000_000)}\n`, 'agent_file_unreadable', undefined],
  ])('%s', async (_, text, code, line) => {
    await using world = await openFaultWorld([]);
    await world.save('.pincer/agent.yml', text);
    await world.restart();
    const [found] = world.found(code);
    expect(found).toMatchObject({ level: 'error', ...(line === undefined ? {} : { line }) });
    await expect(world.say('Hello')).rejects.toMatchObject({ code: 'agent_stopped' });
    await world.save('.pincer/agent.yml', 'plugins:\n  contentPolicy: { redactEmails: true }\n');
    expect((await world.say('ada@sea.example')).sent).not.toContain('ada@');
  });
});

/** A billion of one text, by nine aliases of nine aliases. */
function bomb(): string {
  const lines = Array.from({ length: 9 }, (_, index) => {
    const inner =
      index === 0 ? '"lol"' : Array.from({ length: 9 }, () => `*a${String(index - 1)}`).join(', ');
    return `a${String(index)}: &a${String(index)} [${inner}]`;
  });
  return `${lines.join('\n')}\nplugins: *a8\n`;
}
