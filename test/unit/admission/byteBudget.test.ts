import { expect } from 'chai';
import fc from 'fast-check';
import { Problem } from '../../../src/errors.js';
import { ByteBudget, Reservation } from '../../../src/admission/byteBudget.js';

const capacity = 64 * 1024;
/** What is an owner's own: a sixteenth of a quarter. */
const guarantee = capacity / 64;
const shared = (capacity * 3) / 4;
/** What a workspace gets of a tenant that is alone: it leaves room for another one, a seventeenth. */
const most = guarantee + ((16 * shared) / 2 - guarantee) / 17;

/** Grows as far as it may, in steps; gives what it then holds. */
function fill(reservation: Reservation, step = 16): number {
  try {
    for (;;) reservation.grow(step);
  } catch (error) {
    expect(error).to.be.instanceOf(Problem).with.property('code', 'overloaded');
    return reservation.bytes;
  }
}

describe('the budget of bytes in flight', () => {
  it('gives one owner alone nearly half of what is shared, beside its guarantee', () => {
    const budget = new ByteBudget(capacity);
    expect(fill(budget.reserve('a', 16))).to.be.closeTo(most, 32);
    expect(() => budget.reserve('a', 16)).to.throw(Problem);
    expect(budget.status().bytesRefused).to.equal(2);
  });

  it('gives each of several owners its part, and always has room for one more', () => {
    const budget = new ByteBudget(capacity);
    for (let owners = 0; owners < 15; owners++) {
      const free = capacity - budget.status().bytesInFlight;
      const got = fill(budget.reserve(`owner ${owners}`, 16));
      expect(got).to.be.at.least(guarantee);
      expect(got).to.be.below(free);
    }
  });

  it('gives a tenant no more for having many workspaces, and lets these share what it may hold', () => {
    const [one, many] = [new ByteBudget(capacity), new ByteBudget(capacity)];
    const alone = fill(one.reserve({ tenantId: 'a', workspaceId: '0' }, 16));
    const rest = fill(one.reserve({ tenantId: 'neighbour', workspaceId: 'n' }, 16));
    const some = Array.from({ length: 60 }, (_, at) => many.reserve({ tenantId: 'a', workspaceId: `${at}` }, 16));
    const [first = 0] = some.map((reservation) => fill(reservation));
    // However greedy the first one is, there is room for another, which is no more than it leaves.
    expect(first).to.be.within(0.9 * alone, alone);
    expect(some[1]?.bytes).to.be.above(alone / 20);
    const held = some.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(held).to.be.at.most(guarantee + shared / 2);
    expect(fill(many.reserve({ tenantId: 'neighbour', workspaceId: 'n' }, 16))).to.be.at.least(0.9 * rest);
  });

  it('has those who wait begin when there is room for them, and refuses them once nobody is to wait', async () => {
    const budget = new ByteBudget(capacity);
    const [hog, neighbour] = [budget.reserve('hog', 0), budget.reserve('neighbour', 0)];
    const most = fill(hog);
    const begun: string[] = [];
    const later = async (owner: string, bytes: number): Promise<Reservation> => {
      const reservation = await budget.reserveLater(owner, bytes);
      begun.push(owner);
      return reservation;
    };
    const waiting = [later('hog', most / 2), later('hog', most / 4), later('small', guarantee)];
    expect((await waiting[2])?.bytes).to.equal(guarantee);
    neighbour.release();
    hog.shrink(most / 4 + guarantee);
    expect((await waiting[1])?.bytes).to.equal(most / 4);
    expect(begun).to.deep.equal(['small', 'hog']);
    budget.endWaits();
    for (const refused of [waiting[0], later('hog', most)])
      expect(await refused?.catch((error: unknown) => error)).to.have.property('code', 'overloaded');
    for (const held of [hog, await waiting[1], await waiting[2]]) held?.release();
    expect(budget.status().bytesInFlight).to.equal(0);
  });

  it('refuses callers who found no room in time one after the other, who has waited longest first', async () => {
    const budget = new ByteBudget(capacity, undefined, 0);
    const hog = budget.reserve('hog', 0);
    fill(hog);
    const turns = { passed: 0, going: true };
    const pass = (): void => {
      turns.passed++;
      if (turns.going) setImmediate(pass);
    };
    pass();
    const refused: { readonly at: number; readonly turn: number }[] = [];
    const wait = async (at: number): Promise<void> => {
      await hog.growLater(capacity, () => false).catch(() => refused.push({ at, turn: turns.passed }));
    };
    await Promise.all([0, 1, 2, 3, 4].map(wait));
    turns.going = false;
    expect(refused.map(({ at }) => at)).to.deep.equal([0, 1, 2, 3, 4]);
    expect(new Set(refused.map(({ turn }) => turn)).size, 'turns of the event loop').to.equal(5);
    hog.release();
    expect(budget.status()).to.include({ bytesInFlight: 0 });
  });

  it('lets nobody wait who has left, and has the others take what is given back before they are refused', async () => {
    const budget = new ByteBudget(capacity, undefined, 3_600_000);
    const hog = budget.reserve('hog', 0);
    fill(hog);
    const order: string[] = [];
    const wait = (name: string, gone: () => boolean): Promise<unknown> =>
      hog.growLater(100, gone).then(
        () => order.push(name),
        () => order.push(`${name} refused`),
      );
    const stays = wait('stays', () => false);
    await wait('left', () => true);
    hog.shrink(5 * guarantee);
    await stays;
    expect(order).to.deep.equal(['left refused', 'stays']);
    hog.release();
  });

  it('leaves a tenant room for its small requests, however many of its large bodies wait', async () => {
    const budget = new ByteBudget(capacity, undefined, 3_600_000);
    const of = (workspaceId: string) => ({ tenantId: 'one', workspaceId });
    const large = Array.from({ length: 60 }, (_, at) => budget.reserve(of(`w${at}`), 0));
    const begun: Reservation[] = [];
    const waiting = large.map((each) => each.growLater(guarantee, () => false).then(() => begun.push(each)));
    await new Promise(setImmediate);
    expect(begun.length, 'they begin while there is more').to.be.within(1, 59);
    const small = Array.from({ length: 32 }, (_, at) => budget.reserve(of(`w${at}`), guarantee / 16));
    expect(() => budget.reserve(of('another'), 6 * guarantee)).to.throw('hold too much memory');
    budget.endWaits();
    await Promise.allSettled(waiting);
    for (const held of [...large, ...small]) held.release();
    expect(budget.status().bytesInFlight).to.equal(0);
  });

  it('refuses who found no room in time by tenants, so that none waits for the refusals of another', async () => {
    const budget = new ByteBudget(capacity, undefined, 0);
    const [hog, neighbour] = [budget.reserve('hog', 0), budget.reserve('neighbour', 0)];
    const refused: string[] = [];
    const wait = (each: Reservation): Promise<unknown> =>
      each.growLater(capacity, () => false).catch(() => refused.push(each.owner));
    const all = Array.from({ length: 5 }, () => wait(hog));
    await Promise.all([...all, wait(neighbour)]);
    expect(refused.indexOf('neighbour')).to.equal(1);
    for (const held of [hog, neighbour]) held.release();
  });

  it('lets a newcomer grow once those before it give something back', () => {
    const budget = new ByteBudget(capacity);
    const hog = budget.reserve('hog', 16);
    fill(hog);
    const newcomer = budget.reserve('newcomer', 16);
    const before = fill(newcomer);
    hog.shrink(shared / 6);
    expect(fill(newcomer)).to.be.at.least(before + (15 / 16) * (shared / 12) - 32);
  });

  it('counts what turned out larger, begins nothing more for that owner, and takes nothing from others for it', () => {
    const budget = new ByteBudget(capacity);
    const large = budget.reserve('large', 16);
    expect(large.isAboveShare).to.equal(false);
    const alone = fill(new ByteBudget(capacity).reserve('x', 16));
    large.resize(alone);
    expect(large.isAboveShare).to.equal(false);
    large.resize(10 * capacity);
    expect(large.isAboveShare).to.equal(true);
    expect(budget.status().bytesInFlight).to.equal(10 * capacity);
    const other = budget.reserve('other', 16);
    expect(fill(other)).to.be.at.least(guarantee + (15 / 16) * (shared / 4) - guarantee);
    expect(other.isAboveShare).to.equal(false);
    large.release();
    expect(budget.status().bytesInFlight).to.equal(other.bytes);
  });

  it('holds what is reserved until the last user has released it', () => {
    const budget = new ByteBudget(capacity);
    const reservation = budget.reserve('a', 100);
    reservation.retain();
    const kept = reservation.split(30);
    reservation.release();
    expect(budget.status().bytesInFlight).to.equal(100);
    reservation.release();
    reservation.release();
    reservation.resize(1000);
    expect(budget.status().bytesInFlight).to.equal(30);
    kept.release();
    expect(budget.status().bytesInFlight).to.equal(0);
  });

  const methods: readonly (keyof Reservation)[] = Object.getOwnPropertyNames(Reservation.prototype).filter(
    (name): name is keyof Reservation =>
      name !== 'constructor' && Object.getOwnPropertyDescriptor(Reservation.prototype, name)?.get === undefined,
  );
  /** What may be called of a reservation that was released; each takes nothing. All others throw. */
  const harmless = new Set<keyof Reservation>(['shrink', 'resize', 'release', 'end', 'refusal']);
  for (const name of methods) {
    it(`takes nothing, and gives nothing back again, by ${name} of a reservation that was released`, () => {
      const budget = new ByteBudget(capacity);
      const other = budget.reserve('a', 100);
      const released = budget.reserve('a', 1000);
      released.release();
      const use = (): unknown => (released[name] as (bytes: number) => unknown).call(released, 500);
      if (harmless.has(name)) use();
      else expect(use).to.throw('was released');
      released.release();
      expect(budget.status()).to.include({ bytesInFlight: 100, bytesHeldAfterEnd: 0 });
      expect(released.bytes).to.equal(0);
      other.release();
      // An owner whose bytes were given back twice could hold more than its share from then on.
      expect(fill(budget.reserve('a', 16))).to.be.closeTo(most, 32);
    });
  }

  it('takes nothing for a reservation that was released while it waited for room', async () => {
    const budget = new ByteBudget(capacity, undefined, 1000);
    const hog = budget.reserve('hog', 0);
    fill(hog);
    const gone = budget.reserve('hog', 0);
    const waits = gone.growLater(guarantee, () => false);
    gone.release();
    hog.release();
    await waits;
    expect(budget.status().bytesInFlight).to.equal(0);
    expect(fill(budget.reserve('hog', 16))).to.be.closeTo(most, 32);
  });

  it('counts nobody whose reservation was refused among those who share', () => {
    const budget = new ByteBudget(capacity);
    const [one, other, small] = ['one', 'other', 'small'].map((owner) => budget.reserve(owner, 16));
    for (const large of [one, other]) large?.resize(guarantee + 0.45 * shared);
    small?.resize(guarantee + 0.2 * shared);
    expect(small?.isAboveShare).to.equal(false);
    for (let caller = 0; caller < 10; caller++)
      expect(() => budget.reserve(`refused ${caller}`, capacity)).to.throw(Problem);
    expect(small?.isAboveShare).to.equal(false);
  });

  it('takes one owner for one, though it held nothing for a while', () => {
    const budget = new ByteBudget(capacity);
    const empty = budget.reserve('a', 0);
    budget.reserve('a', 16).release();
    fill(empty);
    const free = capacity - budget.status().bytesInFlight;
    expect(() => budget.reserve('a', 16), `of ${free} that are free`).to.throw(Problem);
  });

  it('tells of bytes that nobody gave back long after the end of their request, and of no others', () => {
    const budget = new ByteBudget(capacity);
    const later = performance.now() + 3_600_000;
    const inBackground = budget.reserve('a', 100);
    const underWay = budget.reserve('a', 100);
    const part = underWay.split(20);
    expect(budget.status(later)).to.include({ bytesInFlight: 200, bytesHeldAfterEnd: 0 });
    const forgotten = budget.reserve('a', 7);
    for (const reservation of [underWay, forgotten]) reservation.end();
    expect(budget.status(), 'at once').to.include({ bytesHeldAfterEnd: 0 });
    expect(budget.status(later)).to.include({ bytesInFlight: 207, bytesHeldAfterEnd: 107 });
    underWay.release();
    expect(budget.status(later)).to.include({ bytesHeldAfterEnd: 27 });
    for (const reservation of [part, forgotten, inBackground]) reservation.release();
    expect(budget.status(later)).to.include({ bytesInFlight: 0, bytesHeldAfterEnd: 0 });
  });

  it('is never over its capacity, lets every newcomer have its guarantee, and ends at zero, whatever comes', () => {
    const step = fc.record({
      owner: fc.integer({ min: 0, max: 9 }),
      bytes: fc.integer({ min: 1, max: capacity }),
      kind: fc.constantFrom('reserve', 'grow', 'shrink', 'release'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const budget = new ByteBudget(capacity);
        const open: { owner: number; reservation: Reservation }[] = [];
        for (const { owner, bytes, kind } of steps) {
          const one = open.find((each) => each.owner === owner);
          try {
            if (kind === 'reserve') open.push({ owner, reservation: budget.reserve(`${owner}`, bytes) });
            else if (kind === 'grow') one?.reservation.grow(bytes);
            else if (kind === 'shrink') one?.reservation.shrink(bytes % one.reservation.bytes);
            else if (one !== undefined) open.splice(open.indexOf(one), 1)[0]?.reservation.release();
          } catch (error) {
            if (!(error instanceof Problem)) throw error;
          }
          const { bytesInFlight } = budget.status();
          expect(bytesInFlight).to.be.at.most(capacity);
          expect(bytesInFlight).to.equal(open.reduce((sum, { reservation }) => sum + reservation.bytes, 0));
          // There are ten owners at most, and sixteen guarantees.
          budget.reserve('newcomer', guarantee).release();
        }
        for (const { reservation } of open) reservation.release();
        expect(budget.status().bytesInFlight).to.equal(0);
        // What is left behind would lower the threshold.
        expect(fill(budget.reserve('late', 16))).to.be.closeTo(most, 32);
      }),
    );
  });
});
