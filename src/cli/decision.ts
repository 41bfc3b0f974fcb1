import type { Command } from 'commander';
import { registerCheck } from './decisionCheck.js';
import { registerAnalyse } from './remote/analyse.js';
import { registerDecisionLife } from './remote/decisionLife.js';
import { registerDecisionRead } from './remote/decisionRead.js';
import { registerDecisionWrite } from './remote/decisionWrite.js';
import type { Session } from './session.js';

/** `verdict decision …` */
export function registerDecision(program: Command, session: Session): void {
  const decision = program.command('decision').description('models, their working copies and saved versions');
  registerDecisionWrite(decision, session);
  registerDecisionRead(decision, session);
  registerDecisionLife(decision, session);
  registerAnalyse(decision, session);
  registerCheck(decision, session);
}
