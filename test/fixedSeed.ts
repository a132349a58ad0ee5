import fc from 'fast-check';

// The same inputs in every run: a test that fails does so for everybody. `npm run fuzz` looks for new ones.
fc.configureGlobal({ seed: 20_261_121 });
