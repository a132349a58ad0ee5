// Runs in a browser, as the page that the gateway serves: the Chat view's page with a connection in place of VS Code's message port.
import './pageConnection.ts';
import '../../chatView/page/chatPage.ts';
