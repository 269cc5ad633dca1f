// What is asked of the server is asked one after the other: each thing is about what the one before it has left.

export class Turns {
  #last = Promise.resolve();
  #waiting = 0;

  get idle() { return this.#waiting === 0; }

  // act answers a promise, or nothing; one that comes to nothing keeps nobody waiting.
  take(act) {
    this.#waiting += 1;
    const done = () => { this.#waiting -= 1; };
    this.#last = this.#last.then(act).then(done, done);
    return this.#last;
  }
}
