import { expect, test } from "vitest";
import { guestName } from "../src/lib/names";

test("who gives no name gets the first that nobody has", () => {
  expect(guestName([])).toBe("Guest");
  expect(guestName(["Ana", "guest"])).toBe("Guest 2");
  expect(guestName(["Guest", "Luc", "Guest 2"])).toBe("Guest 3");
});
