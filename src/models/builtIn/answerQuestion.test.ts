import { describe, expect, it } from 'vitest';
import { asksForOverview } from './answerQuestion.ts';

describe('asksForOverview', () => {
  it.each([
    'What does this project do?',
    'what is this?',
    "What's this repo about?",
    'describe the workspace',
    'summarise this folder',
    'Give me an overview of the codebase.',
  ])('takes “%s” for a question about the whole', (question) => {
    expect(asksForOverview(question)).toBe(true);
  });

  it.each([
    'What database does this project use?',
    'what is a hook',
    'describe the project settings',
    'what',
  ])('takes “%s” for a question like any other', (question) => {
    expect(asksForOverview(question)).toBe(false);
  });
});
