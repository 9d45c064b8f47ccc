import { Injectable } from '@nestjs/common';

/** The time of schedules, leases and signatures. Tests advance it. */
@Injectable()
export class Clock {
  private offsetMs = 0;

  now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  advance(byMs: number): void {
    this.offsetMs += byMs;
  }
}
