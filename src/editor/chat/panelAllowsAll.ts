/**
 * True where the permission picker under the chat's input is on *Allow all* or *Autopilot*. The member is proposed API, yet
 * readable; where it is missing nothing is said of it. Pure.
 */
export function panelAllowsAll(request: object): boolean {
  return (
    'permissionLevel' in request &&
    (request.permissionLevel === 'autoApprove' || request.permissionLevel === 'autopilot')
  );
}
