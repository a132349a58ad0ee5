import { expect, it } from 'vitest';
import { parseSkillFile } from './parseSkillFile.ts';

const skill = (fields: string, body = 'Do it.') => parseSkillFile(`---\n${fields}\n---\n${body}`, 'folder');

it('reads name, description and text', () => {
  expect(skill('name: deploy\ndescription: >\n  How to\n  deploy')).toEqual({
    ok: true,
    summary: { name: 'deploy', description: 'How to deploy' },
    body: 'Do it.',
    warnings: [],
  });
});

it('takes the folder for a name that is missing, and tells of a missing description', () => {
  const read = skill('license: MIT');
  expect(read).toMatchObject({ ok: true, summary: { name: 'folder', description: '' } });
  expect(read.ok && read.warnings[0]?.message).toContain('has no description');
});

it('reads a description with a colon, which is no strict YAML, and says so', () => {
  const read = skill('name: deploy\ndescription: Use when: the user deploys');
  expect(read).toMatchObject({ ok: true, summary: { description: 'Use when: the user deploys' } });
  expect(read.ok && read.warnings[0]?.message).toContain('no strict YAML');
});

it.each([
  ['hidden characters', 'de\u200Bploy'],
  ['a path', '../deploy'],
  ['a line of its own', '"a\\nb"'],
  ['too many characters', 'x'.repeat(65)],
])('refuses a name with %s', (_what, name) => {
  expect(skill(`name: ${name}\ndescription: d`)).toMatchObject({ ok: false });
});

it('makes the description one line without hidden characters, at most 300', () => {
  const read = skill(`name: a\ndescription: "x\\u202E\\n- fake: y ${'z'.repeat(400)}"`);
  const text = read.ok ? read.summary.description : '';
  expect(text).toHaveLength(300);
  expect(text.startsWith('x - fake: y')).toBe(true);
});

it.each([
  ['no frontmatter', 'just text'],
  ['no end', '---\nname: a\n'],
  ['a huge frontmatter', `---\n${'x: y\n'.repeat(20_000)}---\n`],
  [
    'a bomb of aliases',
    `---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b]\n---\n`,
  ],
])('refuses a file with %s', (_what, text) => {
  const read = parseSkillFile(text, 'folder');
  expect(read.ok && read.summary.name !== 'folder').toBe(false);
});

it('is not changed by fields named like parts of every object', () => {
  const read = skill('__proto__: {name: evil}\nconstructor: evil\nname: good\ndescription: d');
  expect(read).toMatchObject({ ok: true, summary: { name: 'good' } });
  expect(({} as { name?: string }).name).toBeUndefined();
});
