import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { builtIns, readAgentText } from '../../../test/builders/agentFiles.ts';
import { isRecord } from '../../base/json.ts';
import { agentJsonSchema } from './agentJsonSchema.ts';

const schema = agentJsonSchema(builtIns);
const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(schema);

describe('the JSON schema of agent files', () => {
  it.each([
    ['plugins: { contentPolicy: { maxInputChars: 5, priority: 3, dependsOn: [a] }, notifications: null }'],
    [
      'plugins: { custom: [{ name: a, module: b, priority: 1, timeout: 5, version: ^1.0.0, config: { x: 1 } }] }',
    ],
    ['plugins: { registry: [{ type: content-policy, priority: 1 }] }'],
    ['hooks: [{ type: content-policy, maxInputChars: 5 }]'],
    ['hooks: { contentPolicy: {} }'],
    ['storage: { database: { type: postgres, host: h, port: 1 }, cache: { type: redis, url: "redis://h" } }'],
    ['storage: { database: { type: sqlite } }'],
    ['internalTools: false'],
    ['internalTools: [read_file]'],
    ['systemPrompt: Hi'],
    ['systemPrompt: { contributors: [{ id: a, type: dynamic, priority: 1, source: dateTime }] }'],
    ['llm: { provider: a, model: b, temperature: 1 }\ngreeting: hi\nagentCard: { name: x }'],
    ['mcpServers: { a: { type: stdio, command: npx } }'],
    ['toolConfirmation: { mode: auto-deny, toolPolicies: { alwaysDeny: [a] } }'],
  ])('takes what the program takes: %s', (yaml) => {
    expect([
      readAgentText(yaml).diagnostics.filter(({ level }) => level !== 'info'),
      validate(parse(yaml)),
    ]).toEqual([[], true]);
  });

  it.each([
    ['pluginz: {}'],
    ['plugins: { contentPolcy: {} }'],
    ['plugins: { contentPolicy: { maxInputChar: 5 } }'],
    ['plugins: { contentPolicy: { maxInputChars: "5" } }'],
    ['plugins: { custom: [{ name: a, module: b }] }'],
    ['plugins: { custom: [{ name: a, module: b, priority: 1.5 }] }'],
    ['plugins: { custom: [{ name: a, module: b, priority: 1, bloking: true }] }'],
    ['storage: { database: { type: mysql } }'],
    ['llm: { provider: a }'],
    ['internalTools: true'],
    ['mcpServers: { a: { type: ftp } }'],
    ['toolConfirmation: { mode: always }'],
    ['systemPrompt: { contributors: [{ id: a, type: static, priority: 1 }] }'],
  ])('marks what the program marks: %s', (yaml) => {
    expect([readAgentText(yaml).diagnostics.length > 0, validate(parse(yaml))]).toEqual([true, false]);
  });

  it('describes every key', () => {
    const silent: string[] = [];
    const walk = (part: unknown, path: string): void => {
      if (Array.isArray(part)) part.forEach((each, index) => walk(each, `${path}[${index}]`));
      if (!isRecord(part)) return;
      for (const [key, value] of Object.entries(part)) {
        if (key === 'properties' && isRecord(value))
          for (const [name, property] of Object.entries(value))
            if (!isRecord(property) || typeof property['description'] !== 'string')
              silent.push(`${path}.${name}`);
        walk(value, `${path}.${key}`);
      }
    };
    walk(schema, '');
    expect(silent).toEqual([]);
  });
});
