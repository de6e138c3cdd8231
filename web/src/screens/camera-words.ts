import type { CameraProblem } from '../camera';

export interface ProblemWords {
  title: string;
  advice: string;
}

const ANYWAY = 'Until then, type codes below or use a hardware scanner.';

export const CAMERA_PROBLEM_WORDS: Record<CameraProblem, ProblemWords> = {
  insecure: {
    title: 'The camera needs https',
    advice: `Open the link with https at the beginning. ${ANYWAY}`,
  },
  none: {
    title: 'No camera found',
    advice: 'Type codes below, or use a hardware scanner.',
  },
  refused: {
    title: 'The camera is not allowed',
    advice: `Allow the camera for this page in the browser’s settings, then try again. ${ANYWAY}`,
  },
  unreadable: {
    title: 'The reader is not loaded yet',
    advice: `Find a better signal, then try again. ${ANYWAY}`,
  },
  busy: {
    title: 'The camera does not answer',
    advice: `Another app may be using it. Close that app, then try again. ${ANYWAY}`,
  },
};
