// Lets a loop wait for the next piece of work, for a limited time.

interface WakeUp {
  /** Ends the wait. A notification while the loop is busy ends its next wait at once. */
  notify: () => void;
  reset: () => void;
  wait: (ms: number) => Promise<void>;
}

export function makeWakeUp(): WakeUp {
  let notified = false;
  let wake: () => void = () => undefined;
  return {
    notify: () => {
      notified = true;
      wake();
    },
    reset: () => {
      notified = false;
    },
    wait: (ms) => {
      if (notified) return Promise.resolve();
      return new Promise<void>((done) => {
        const timer = setTimeout(done, ms);
        wake = () => {
          clearTimeout(timer);
          done();
        };
      });
    },
  };
}
