import { expect, it } from 'vitest';
import { parseActivationStats } from './readActivationStats.ts';

const report = `## System Info

* one.fine | false | 9 | 9 | 9 |

## Extension Activation Stats

| Extension         | Eager | Load Code | Call Activate | Finish Activate | Event             | By         |
| ----------------- | ----- | --------- | ------------- | --------------- | ----------------- | ---------- |
| vscode.git-base   | true  | 49        | 0             | 3               | *                 | vscode.git |
| pincer-dev.pincer | false | 17        | 2             | 1               | onStartupFinished | pincer     |

## Terminal Stats

| Name           | Timestamp     | Delta | Total |
| -------------- | ------------- | ----- | ----- |
| code/other     | 1795251034125 | 0     | 0     |
`;

it('reads the rows of the activation table and nothing else', () => {
  expect([...parseActivationStats(report)]).toEqual([
    ['vscode.git-base', { loadCode: 49, callActivate: 0 }],
    ['pincer-dev.pincer', { loadCode: 17, callActivate: 2 }],
  ]);
});

it('finds nothing in a report that is not written yet', () => {
  expect(parseActivationStats('').size).toBe(0);
  expect(parseActivationStats('Loading...').size).toBe(0);
});
