// Lua's operator ^, which calls pow of the C library. Where Lua is compiled with the engine, its files lvm.c, lcode.c
// and lobject.c include this header first (cc -include script/lua_power.h), and ^ is the engine's own in the portable
// mode. The program for Linux, which loads Lua's library, gives that library its own pow instead (app/power.c).
#ifndef TIDE_SCRIPT_LUA_POWER_H
#define TIDE_SCRIPT_LUA_POWER_H

double tide_lua_power(double x, double y);

#define luai_numpow(L, a, b) ((void)L, tide_lua_power(a, b))

#endif
