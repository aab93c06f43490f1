import { configure } from '@testing-library/react';

/** How long a component test waits for what must appear: it is a limit for faults, not a measure of speed. */
const patienceMs = 45_000;

configure({ asyncUtilTimeout: patienceMs });
