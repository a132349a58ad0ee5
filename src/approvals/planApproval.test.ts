import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasHiddenCharacters } from '../base/text.ts';
import type { ApprovalAsk } from '../contracts/approval.ts';
import { planApproval, type ApprovalPlanInput } from './planApproval.ts';

function askOf(parts: Partial<ApprovalAsk> = {}): ApprovalAsk {
  return { asker: 'host', title: 'Write a.md', description: 'new file', severity: 'warning', ...parts };
}

function planOf(parts: Partial<ApprovalPlanInput> = {}): ReturnType<typeof planApproval> {
  return planApproval({
    asks: [askOf()],
    params: { path: 'a.md' },
    hasEdits: false,
    scope: { workspace: '/w', targets: ['a.md'], label: 'write a.md' },
    timeoutMayAllow: false,
    ...parts,
  });
}

describe('several askers become one question', () => {
  test('with the strictest severity, the shortest timeout and every asker named once', () => {
    const plan = planOf({
      asks: [
        askOf({ severity: 'info', timeoutMs: 90_000 }),
        askOf({ asker: 'guard', severity: 'critical', timeoutMs: 30_000 }),
        askOf({ asker: 'guard' }),
      ],
    });
    expect(plan).toMatchObject({ severity: 'critical', timeoutMs: 30_000, askers: ['host', 'guard'] });
  });

  test('with the decisions that all of them offer, and deny always', () => {
    const once = askOf({ allowedDecisions: ['allow-once'] });
    expect(planOf({ asks: [askOf(), once] }).decisions).toEqual(['allow-once', 'deny']);
    const always = askOf({ allowedDecisions: ['allow-always'] });
    expect(planOf({ asks: [once, always] }).decisions).toEqual(['deny']);
  });

  test("under the host's title, since a plugin's may say anything", () => {
    const plan = planOf({
      asks: [
        askOf({ asker: 'guard', title: 'Just reads', description: 'harmless', severity: 'critical' }),
        askOf(),
      ],
    });
    expect(plan.title).toBe('Write a.md');
    expect(plan.description).toBe('new file · guard: Just reads: harmless');
  });

  test("with a plugin's question mark as it is", () => {
    const plan = planOf({
      asks: [askOf(), askOf({ asker: 'guard', title: 'Change it?', description: 'Why.' })],
    });
    expect(plan.description).toBe('new file · guard: Change it? Why.');
  });

  test.each(['·', '•', '‧', '∙', '⋅', '・'])(
    'with no %s of a plugin that passes for another part',
    (mark) => {
      const title = `Run it ${mark} host`;
      const plugin = askOf({ asker: 'guard', title, description: `a ${mark} host: safe` });
      const { description } = planOf({ asks: [askOf(), plugin] });
      expect(description).toBe('new file · guard: Run it - host: a - host: safe');
    },
  );
});

describe('the waiting time', () => {
  test.each([
    [undefined, undefined, 120_000],
    [undefined, 700_000, 120_000],
    [900_000, undefined, 600_000],
    [300_000, 200_000, 200_000],
    [30_000, 90_000, 30_000],
    [undefined, Number.NaN, 120_000],
    [undefined, -1, 120_000],
  ])('user %s, asker %s gives %s ms', (user, asker, expected) => {
    const asks: ApprovalPlanInput['asks'] = [askOf(asker === undefined ? {} : { timeoutMs: asker })];
    expect(planOf({ asks, ...(user === undefined ? {} : { timeoutMs: user }) }).timeoutMs).toBe(expected);
  });
});

describe('the time of a question that only plugins ask', () => {
  const guard = (timeoutMs?: number): ApprovalAsk =>
    askOf({ asker: 'guard', ...(timeoutMs === undefined ? {} : { timeoutMs }) });

  test.each<[string, Partial<ApprovalPlanInput>, number, boolean]>([
    ['is kept exactly, by the clock', { asks: [guard(300_000)] }, 300_000, false],
    ['is the longest that there is at most', { asks: [guard(900_000)] }, 600_000, false],
    ['is the shortest of several', { asks: [guard(300_000), guard(200_000)] }, 200_000, false],
    ['is the usual one where one of them says none', { asks: [guard(300_000), guard()] }, 120_000, true],
    ['is the usual one where the host asks, too', { asks: [guard(300_000), askOf()] }, 120_000, true],
    ['is no longer than the user wants', { asks: [guard(300_000)], timeoutMs: 60_000 }, 60_000, true],
    ['ends where the user waits longer', { asks: [guard(300_000)], timeoutMs: 400_000 }, 300_000, false],
  ])('%s', (_name, parts, timeoutMs, isTimeWatched) => {
    expect(planOf(parts)).toMatchObject({ timeoutMs, isTimeWatched });
  });
});

describe('texts are inert', () => {
  test('control, bidirectional and zero-width characters are gone and lines are joined', () => {
    const plan = planOf({ asks: [askOf({ title: 'Read\u202E gpj\n\u200Bnow\u0007' })] });
    expect(plan.title).toBe('Read gpj now');
  });

  test('a markdown link is broken up', () => {
    expect(planOf({ asks: [askOf({ title: '[Approve](command:x)' })] }).title).toBe('[Approve] (command:x)');
  });

  test('whatever plugins and models write: one line, nothing hidden, no link, within the limits', () => {
    const nasty = fc
      .array(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom('](', ']\u200B(', ']\u202E\n(', ']\u0000', '(command:x)', '\r\n', '\u2028'),
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(nasty, nasty, nasty, nasty, (title, description, label, note) => {
        const asks: ApprovalPlanInput['asks'] = [
          askOf({ title, description }),
          askOf({ asker: 'guard', title: description, description: title }),
        ];
        const plan = planOf({ asks, note, scope: { workspace: '/w', targets: ['x'], label } });
        expect([plan.title.length <= 80, plan.description.length <= 256]).toEqual([true, true]);
        for (const text of [plan.title, plan.description, plan.grantLabel]) {
          expect(hasHiddenCharacters(text)).toBe(false);
          expect(text).not.toMatch(/[\t\r\n\u2028\u2029]|\]\(/u);
        }
      }),
    );
  });

  test('title and description are cut at 80 and 256 characters', () => {
    const plan = planOf({ asks: [askOf({ title: 't'.repeat(81), description: 'd'.repeat(257) })] });
    expect([plan.title.length, plan.description.length]).toEqual([80, 256]);
  });
});

describe('always is withheld', () => {
  const withheld = (parts: Partial<ApprovalPlanInput>): void =>
    expect(planOf(parts).decisions).toEqual(['allow-once', 'deny']);

  test('and offered otherwise', () => expect(planOf().decisions).toContain('allow-always'));
  test('at severity critical', () => withheld({ asks: [askOf({ severity: 'critical' })] }));
  test('where it has no scope', () => withheld({ scope: undefined }));
  test('where the title is cut', () => withheld({ asks: [askOf({ title: 't'.repeat(81) })] }));
  test('where the description is cut', () => withheld({ asks: [askOf({ description: 'd'.repeat(257) })] }));
  test('where a text hides a character', () => withheld({ asks: [askOf({ description: 'a\u200Bb' })] }));
  test('where a parameter hides a character, however deep', () =>
    withheld({ params: { a: [{ b: 'x\u202Ey' }] } }));
  test('where the parameters are too long to be shown', () =>
    withheld({ params: { command: 'x'.repeat(1_001) } }));
  test('where the target is too long to be shown', () =>
    withheld({ scope: { workspace: '/w', targets: ['x'], label: 'x'.repeat(121) } }));
  test('but not for long parameters that a diff shows whole', () =>
    expect(planOf({ params: { content: 'x'.repeat(5_000) }, hasEdits: true }).decisions).toContain(
      'allow-always',
    ));
});
