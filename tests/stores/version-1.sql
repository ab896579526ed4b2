PRAGMA application_id = 1111715693;
PRAGMA user_version = 1;
PRAGMA auto_vacuum = INCREMENTAL;
BEGIN TRANSACTION;
CREATE TABLE events (
    number INTEGER PRIMARY KEY, game INTEGER NOT NULL, at REAL NOT NULL,
    kind TEXT NOT NULL, data TEXT NOT NULL, hash TEXT NOT NULL
);
INSERT INTO "events" VALUES(1,1,1794965988.382,'new','{"record":{"game":"six-faces","options":{},"setup":{},"moves":[],"about":{"players":["Ann","Bob"]}},"by":"person"}','2b5d1e5698064ee0dcb033ba7d7567f354c0bd40dd65b64389b7a06ca7b2d3b0');
INSERT INTO "events" VALUES(2,1,1794965988.39,'camera','{"state":"live","why":""}','c03e33b87755a95b003f00a515181396c2d7910550224754498c1557daa2a235');
INSERT INTO "events" VALUES(3,1,1794965988.397,'move','{"moves":["b1-b2"],"by":"camera","picture":"7b620021d96ad2c03db948838c2653d86ff15442e43b9bbbd362c80ee21ae8a2"}','d54d22fba5249471077b92f0d2cccf1758dae221b21b7f38235a771f2eb5384b');
INSERT INTO "events" VALUES(4,1,1794965988.405,'move','{"moves":["b8-b7","h1-h2"],"by":"person"}','bcd9875324b7c3a65218a0606fb89849abeaa646e8cceec8a53b548228ba475e');
INSERT INTO "events" VALUES(5,1,1794965988.409,'back','{"count":1,"by":"person"}','f5ff58785f71b0b4c5028e32f8a3a289c37d5c90d1bb60d69547fa6797cd5207');
INSERT INTO "events" VALUES(6,1,1794965988.416,'clock','{"do":"set","ply":2,"control":{"kind":"fischer","main":60,"more":5,"periods":0},"seats":{"white":{"main":60,"periods":0,"flag":false},"red":{"main":60,"periods":0,"flag":false}},"running":null}','8f69c2a0879193995432faba421ca09809f00e3b5ffe4a1ce8a0014f8eea57e9');
INSERT INTO "events" VALUES(7,1,1794965988.423,'hints','{"on":true,"locked":true,"by":"referee"}','87c7669377f8a89b89aa791c9d35be2f2b593401050adb42154b57ea811d76bb');
INSERT INTO "events" VALUES(8,1,1794965988.426,'computer','{"seats":{"red":2},"by":"player"}','5826be8752a73a1c332f63c29cac6325ddb87eac8955bdf2098f71c52d568db1');
INSERT INTO "events" VALUES(9,1,1794965988.434,'pause','{"paused":true}','6dd4b8e10779f3bbb4c98876f11e6983c65135d2027f6216ccf7134ce58931ea');
INSERT INTO "events" VALUES(10,1,1794965988.438,'result','{"winner":"red","why":"resigned","by":"person"}','aa42fc6493a6d8104618c3c25ebd9df40fc7cd0c416e3f3024e435a4581ed9a2');
CREATE TABLE pictures (number INTEGER PRIMARY KEY REFERENCES events, jpeg BLOB NOT NULL);
INSERT INTO "pictures" VALUES(3,X'FFD820612070696374757265');
CREATE INDEX events_by_game ON events (game);
CREATE TRIGGER events_stay BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
CREATE TRIGGER events_stand BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER pictures_stand BEFORE UPDATE ON pictures BEGIN SELECT RAISE(ABORT, 'pictures are never changed'); END;
COMMIT;
