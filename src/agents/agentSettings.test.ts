import { describe, expect, it } from 'vitest';
import { agentSection } from '../config/sections/agentSection.ts';
import { agentsSection } from '../config/sections/agentsSection.ts';
import { findAgentProblems } from './findAgentProblems.ts';
import { resolveAgentFolder } from './resolveAgentFolder.ts';
import { resolveAgentModel } from './resolveAgentModel.ts';
import { resolveSettings } from './resolveSettings.ts';

describe('resolveSettings', () => {
  it('takes turn before session before agent before general, each setting by itself', () => {
    const agentConfig = agentSection.resolve({ temperature: 0.1, maxTokens: 100, thinking: 'low' });
    const agent = { settings: { temperature: 0.2, maxTokens: 200 } };
    const session = { temperature: 0.3, model: 'a/b' };
    expect(resolveSettings({ agentConfig, agent, session, turn: { thinking: 'high' } })).toEqual({
      temperature: 0.3,
      maxTokens: 200,
      thinking: 'high',
    });
    expect(resolveSettings({ agentConfig })).toEqual(agentConfig.settings);
    expect(resolveSettings({ agentConfig: agentSection.resolve({}) })).toEqual({});
  });

  it('takes 0 for a choice', () => {
    const agentConfig = agentSection.resolve({ temperature: 1 });
    expect(resolveSettings({ agentConfig, turn: { temperature: 0 } })).toEqual({ temperature: 0 });
  });
});

it('resolveAgentModel takes session before binding before agent before config', () => {
  const said = { session: 's/1', binding: 'b/1', agent: 'a/1', config: 'c/1' };
  const order = ['session', 'binding', 'agent', 'config'] as const;
  const left: Partial<Record<(typeof order)[number], string>> = { ...said };
  for (const source of order) {
    expect(resolveAgentModel(left)).toEqual({ model: said[source], source });
    Reflect.deleteProperty(left, source);
  }
  expect(resolveAgentModel(left)).toBeUndefined();
});

describe('resolveAgentFolder', () => {
  const folders = ['/w/app', '/w/docs', '/other/docs'];

  it.each([
    [undefined, '/w/app'],
    ['app', '/w/app'],
    ['/w/docs', '/w/docs'],
    ['/w/docs/', '/w/docs'],
    ['/w/x/../docs', '/w/docs'],
    ['~/docs', '/other/docs'],
  ])('%s is %s', (workspace, folder) => {
    expect(resolveAgentFolder(workspace, folders, '/other')).toEqual({ folder });
  });

  it('takes the first one and says why where the name fits none or several', () => {
    expect(resolveAgentFolder('docs', folders)).toEqual({
      folder: '/w/docs',
      problem: 'is the name of several open folders',
    });
    expect(resolveAgentFolder('/etc', folders)).toEqual({ folder: '/w/app', problem: 'is no open folder' });
    expect(resolveAgentFolder('app', [])).toEqual({ folder: undefined, problem: 'is no open folder' });
  });
});

describe('findAgentProblems', () => {
  const around = { folders: ['/w/app'], hasModel: (name: string) => name === 'ollama/qwen3' };

  it('finds nothing wrong with what is right', () => {
    const config = agentsSection.resolve({
      agents: {
        main: { subagents: { allowAgents: ['helper', '*'] } },
        helper: { default: true, model: 'ollama/qwen3', workspace: 'app' },
      },
      bindings: [{ agentId: 'helper', match: { channel: 'cli' }, model: 'ollama/qwen3' }],
    });
    expect(findAgentProblems(config, around)).toEqual([]);
  });

  it('names each thing that means nothing, and what holds until then', () => {
    const config = agentsSection.resolve({
      agents: {
        helper: { model: 'ollama/gone', workspace: 'lib', subagents: { allowAgents: ['helpr'] } },
      },
      bindings: [{ agentId: 'helpe', match: { channel: 'cli', accountId: 'x' }, model: 'a/b' }],
    });
    const found = findAgentProblems({ ...config, otherDefaults: ['helper'] }, around);
    expect(found.map(({ code, message, hint }) => [code, message, hint])).toEqual([
      [
        'agent_second_default',
        'agents.helper.default is ignored: the agent main is the default already.',
        'Take "default" out of one of the two.',
      ],
      [
        'agent_model_unknown',
        'agents.helper.model names the model "ollama/gone", which does not exist.',
        'Add it with Pincer: Add Model…, or correct the name. Until then it does not answer.',
      ],
      [
        'agent_folder_unknown',
        'agents.helper.workspace: "lib" is no open folder.',
        'Write the path of an open folder. Until then the agent works in /w/app.',
      ],
      [
        'agent_unknown',
        'agents.helper.subagents.allowAgents names the agent "helpr", which does not exist.',
        'Did you mean "helper"? It is left out.',
      ],
      [
        'agent_unknown',
        'bindings[0] (cli, account x) names the agent "helpe", which does not exist.',
        'Did you mean "helper"? Until then the default agent answers there.',
      ],
      [
        'agent_model_unknown',
        'bindings[0] (cli, account x) names the model "a/b", which does not exist.',
        'Add it with Pincer: Add Model…, or correct the name. Until then it does not answer.',
      ],
    ]);
  });

  it("says that a key of OpenClaw's config is an agent here", () => {
    const config = agentsSection.resolve({ agents: { defaults: { model: 'ollama/qwen3' }, helper: {} } });
    expect(findAgentProblems(config, around).map(({ code, message }) => [code, message])).toEqual([
      [
        'agent_named_as_key',
        'agents.defaults is an agent named "defaults" here; in OpenClaw\'s config it is a key of its own.',
      ],
    ]);
  });

  it('says nothing of folders where none is open', () => {
    const config = agentsSection.resolve({ agents: { helper: { workspace: 'lib' } } });
    expect(findAgentProblems(config, { ...around, folders: [] })).toEqual([]);
  });
});
