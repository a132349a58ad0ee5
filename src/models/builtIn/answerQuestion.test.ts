import { describe, expect, it } from 'vitest';
import { asksForChange, asksForOverview } from './answerQuestion.ts';

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

describe('asksForChange', () => {
  it.each([
    'add a line to README',
    'Please rename the function tide',
    'Could you please fix the failing test?',
    'I want you to update the docs',
    'Write a test for the parser',
  ])('takes “%s” for a change', (text) => {
    expect(asksForChange(text)).toBe(true);
  });

  it.each([
    'How do I add a plugin?',
    'Why was it changed?',
    'additional harbours',
    'Explain the update',
    'make?',
  ])('takes “%s” for a question', (text) => {
    expect(asksForChange(text)).toBe(false);
  });
});
