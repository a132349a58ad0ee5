import { afterEach, describe, expect, it, vi } from 'vitest';

import { layerProblems, summaryLine, sumResults } from './layerResult.ts';
import { projectRoot } from './projectRoot.ts';
import { hostResult } from './runHostLayer.ts';
import { vitestResult } from './runVitestLayer.ts';

const green = { passed: 3, failed: 0, skipped: 0 };

describe('sumResults and summaryLine', () => {
  it('sum over the layers and name skipped tests only where there are any', () => {
    const total = sumResults([green, { passed: 1, failed: 2, skipped: 0 }]);
    expect(summaryLine(total)).toBe('4 passed, 2 failed');
    expect(summaryLine({ ...green, skipped: 1 })).toBe('3 passed, 0 failed, 1 skipped');
  });
});

describe('layerProblems', () => {
  it('finds none in a layer where every test passed', () => {
    expect(layerProblems('unit', green, true)).toEqual([]);
  });

  it('reports a layer that ran no test', () => {
    expect(layerProblems('host', { passed: 0, failed: 0, skipped: 0 }, false)).toEqual([
      'host: no test ran.',
    ]);
    expect(layerProblems('host', { passed: 0, failed: 0, skipped: 4 }, false)).toEqual([
      'host: no test ran.',
    ]);
  });

  it('reports failed tests by name', () => {
    const failures = ['a rule: expected 1 to be 2', 'another rule: timed out'];
    expect(layerProblems('unit', { ...green, failed: 2, failures }, false)).toEqual([
      'unit: 2 failed.',
      'unit: a rule: expected 1 to be 2',
      'unit: another rule: timed out',
    ]);
  });

  it('accepts skipped tests and an unavailable layer on a machine of a person, not under CI', () => {
    const skipped = { ...green, skipped: 1 };
    expect(layerProblems('unit', skipped, false)).toEqual([]);
    expect(layerProblems('unit', skipped, true)).toEqual(['unit: 1 skipped, which CI does not accept.']);
    const away = { passed: 0, failed: 0, skipped: 0, unavailable: 'needs Linux.' };
    expect(layerProblems('e2e', away, false)).toEqual([]);
    expect(layerProblems('e2e', away, true)).toEqual(['e2e: needs Linux.']);
  });
});

describe('vitestResult', () => {
  const report = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1 };

  it('counts todo and skipped tests as skipped', () => {
    expect(vitestResult(report, 0)).toEqual({ passed: 5, failed: 0, skipped: 2 });
  });

  describe('where a test was skipped', () => {
    afterEach(() => vi.unstubAllEnvs());
    const database = 'a database is shared (needs PostgreSQL: set PINCER_TEST_POSTGRES_URL)';
    const container = 'a command ends (needs Docker: set PINCER_TEST_DOCKER_IMAGE)';

    it.each([
      ['none', database, 1],
      ['required', database, 2],
      ['', database, 2],
      ['none', container, 1],
      ['required', container, 2],
      ['', container, 2],
      ['none', 'a container runs', 2],
      ['', 'a container runs (needs a Docker daemon)', 2],
    ])('with PINCER_TEST_SERVERS=%s and the name "%s" counts %i as skipped', (servers, fullName, count) => {
      vi.stubEnv('PINCER_TEST_SERVERS', servers);
      const skipped = { ...report, testResults: [{ assertionResults: [{ fullName, status: 'skipped' }] }] };
      expect(vitestResult(skipped, 0).skipped).toBe(count);
    });
  });

  it('counts an error outside a test as a failure', () => {
    expect(vitestResult(report, 1)).toMatchObject({ passed: 5, failed: 1 });
    expect(vitestResult(undefined, 1)).toMatchObject({ passed: 0, failed: 1 });
  });

  it('does not count it again where a test failed', () => {
    expect(vitestResult({ ...report, numFailedTests: 2 }, 1)).toMatchObject({
      passed: 5,
      failed: 2,
      skipped: 2,
    });
  });

  it('names what failed, with the first line of why', () => {
    const failed = {
      fullName: 'a rule',
      status: 'failed',
      failureMessages: ['expected 1 to be 2\n  at x.ts'],
    };
    const passed = { fullName: 'another rule', status: 'passed', failureMessages: [] };
    const testResults = [{ assertionResults: [failed, passed] }];
    expect(vitestResult({ ...report, numFailedTests: 1, testResults }, 1).failures).toEqual([
      'a rule: expected 1 to be 2',
    ]);
  });

  const failuresFor = (message: readonly string[]): readonly string[] | undefined => {
    const failed = { fullName: 'a rule', status: 'failed', failureMessages: [message.join('\n')] };
    const testResults = [{ assertionResults: [failed] }];
    return vitestResult({ ...report, numFailedTests: 1, testResults }, 1).failures;
  };

  it('says what a failed test of the workbench waited for, and where in the test', () => {
    const message = [
      'locator.click: Timeout 60000ms exceeded.',
      'Call log:',
      "\u001b[2m  - waiting for locator('.pane').first()\u001b[22m",
      '',
      `    at Object.send (${projectRoot}/test/e2e/driver/chat.ts:125:19)`,
      `    at ${projectRoot}/test/e2e/folders.test.ts:6:5`,
    ];
    expect(failuresFor(message)).toEqual([
      "a rule: locator.click: Timeout 60000ms exceeded. - waiting for locator('.pane').first() (test/e2e/folders.test.ts:6)",
    ]);
  });

  it('says what was there instead, and where outside of tests and packages where no test is among the lines', () => {
    const message = [
      'Error: Waited 60 s for the answer.',
      'Instead: the answer "No."',
      `    at check (${projectRoot}/node_modules/vitest/dist/index.js:1:1)`,
      `    at until (${projectRoot}/test/e2e/driver/until.ts:28:13)`,
    ];
    expect(failuresFor(message)).toEqual([
      'a rule: Error: Waited 60 s for the answer. Instead: the answer "No." (test/e2e/driver/until.ts:28)',
    ]);
  });
});

describe('hostResult', () => {
  it('counts each state', () => {
    const test = { title: 'a', durationMs: 1 };
    const tests = [
      { ...test, state: 'passed' as const },
      { ...test, state: 'failed' as const, message: 'no' },
      { ...test, state: 'skipped' as const },
    ];
    expect(hostResult({ tests })).toEqual({ passed: 1, failed: 1, skipped: 1, failures: ['a: no'] });
  });
});
